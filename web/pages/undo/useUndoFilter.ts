import { useSearchParams } from "react-router-dom";
import { UNDO_TYPES, type UndoType } from "../../../shared/api/undo";
import { LIST_LIMITS } from "../../../shared/constants";

/** Returns the page's filter, which is stored in the URL. Invalid values in the URL are ignored. */
export function useUndoFilter() {
  const [search, setSearch] = useSearchParams();
  const type = UNDO_TYPES.find((known) => known === search.get("type")) ?? "all";
  const limit = LIST_LIMITS.find((known) => String(known) === search.get("limit")) ?? LIST_LIMITS[0];
  const set = (key: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        after.set(key, value);
        return after;
      },
      { replace: true },
    );
  return {
    type,
    limit,
    setType: (value: UndoType) => set("type", value),
    setLimit: (value: number) => set("limit", String(value)),
  };
}
