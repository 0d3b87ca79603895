import { useEditor } from "../context";
import { showKeys } from "../shortcuts";

/** The first keys of a command, as people write them; undefined where it has none. */
export function useKeysOf(): (id: string) => string | undefined {
  const { list } = useEditor();
  return (id) => {
    const keys = list.find((command) => command.id === id)?.keys[0];
    return keys && showKeys(keys);
  };
}
