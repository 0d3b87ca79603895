import { useEditor, useSettings } from "../context";
import type { KeySet } from "../keyReading";

/** The keys that a command has at present, by its id; none where it has none. */
export function useKeysOf(): (id: string) => readonly KeySet[] {
  const { list, shortcuts } = useEditor();
  // Whoever changes keys sees them at once.
  useSettings();
  return (id) => list.filter((command) => command.id === id).flatMap((command) => shortcuts.keysOf(command));
}
