import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { type Filter, filterOf, searchOf } from "./filter";

/** `replace`: takes the place of the filter before, so that "back" leads past both. */
export type ChangeFilter = (part: Partial<Filter>, options?: { replace: boolean }) => void;

/** The filter in the address, and its change: a new filter begins at the first page again. */
export function useFilter(): [Filter, ChangeFilter] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => filterOf(search), [search]);
  // At once: what is pressed in the same moment, a link to an image perhaps, already goes by the new filter.
  const change: ChangeFilter = (part, options) =>
    setSearch((old) => searchOf({ ...filterOf(old), ...part }), { ...options, flushSync: true });
  return [filter, change];
}
