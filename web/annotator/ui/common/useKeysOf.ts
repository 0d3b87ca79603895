import { useEditor, useSettings } from "../../editor/context";
import type { KeySet } from "../../keyboard/keyReading";

/** The keys that a command has at present, by its id; none where it has none. */
export function useKeysOf(): (id: string) => readonly KeySet[] {
  const { list, shortcuts } = useEditor();
  // Whoever changes keys sees them at once.
  useSettings();
  return (id) => list.filter((command) => command.id === id).flatMap((command) => shortcuts.keysOf(command));
}
