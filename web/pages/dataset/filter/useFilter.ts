import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { type Filter, filterOf, searchOf } from "./filter";

/** Changes parts of the filter. `replace` replaces the history entry of the previous filter, so "back" skips it. */
export type ChangeFilter = (part: Partial<Filter>, options?: { replace: boolean }) => void;

/** Returns the filter stored in the URL, and its setter. Changing the filter goes back to the first page. */
export function useFilter(): [Filter, ChangeFilter] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => filterOf(search), [search]);
  // `flushSync`, so that a click right afterwards, e.g. on a link to an image, already uses the new filter.
  const change: ChangeFilter = (part, options) =>
    setSearch((old) => searchOf({ ...filterOf(old), ...part }), { ...options, flushSync: true });
  return [filter, change];
}
