import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { type Filter, filterOf, searchOf } from "./filter";

/** Changes parts of the filter. `replace` replaces the history entry of the previous filter, so "back" skips it. */
export type ChangeFilter = (part: Partial<Filter>, options?: { replace: boolean }) => void;

/**
 * Returns the filter stored in the URL, and its setter. Changing the filter goes back to the first page. Both stay the
 * same while only the page changes, so that the fields are not rendered again.
 */
export function useFilter(): [Filter, ChangeFilter] {
  const [search, setSearch] = useSearchParams();
  const key = searchOf(filterOf(search)).toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(key)), [key]);
  const latest = useRef(setSearch);
  useLayoutEffect(() => {
    latest.current = setSearch;
  }, [setSearch]);
  // `flushSync`, so that a click right afterwards, e.g. on a link to an image, already uses the new filter.
  const change = useCallback<ChangeFilter>(
    (part, options) =>
      latest.current((old) => searchOf({ ...filterOf(old), ...part }), { ...options, flushSync: true }),
    [],
  );
  return [filter, change];
}
