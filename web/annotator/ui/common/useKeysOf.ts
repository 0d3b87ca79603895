import { useEditor, useSettings } from "../../editor/context";
import type { KeySet } from "../../keyboard/keyReading";

/** Returns a function that looks up the current keys of a command by id; empty if the command has none. */
export function useKeysOf(): (id: string) => readonly KeySet[] {
  const { list, shortcuts } = useEditor();
  // Renders again when the user changes keys.
  useSettings();
  return (id) => list.filter((command) => command.id === id).flatMap((command) => shortcuts.keysOf(command));
}
