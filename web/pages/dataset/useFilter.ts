import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { type Filter, filterOf, searchOf } from "./filter";

/** The filter in the address, and its change: a new filter begins at the first page again. */
export function useFilter(): [Filter, (part: Partial<Filter>) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => filterOf(search), [search]);
  const change = (part: Partial<Filter>) => setSearch((old) => searchOf({ ...filterOf(old), ...part }));
  return [filter, change];
}
