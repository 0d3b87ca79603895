import { useEffect } from "react";
import { useSearchParams } from "react-router-dom";

/**
 * Returns the list's 1-based page and its setter. The URL contains the page (`?page=3`), so that links and going back
 * work.
 */
export function usePageInQuery(): [number, (page: number) => void] {
  const [search, setSearch] = useSearchParams();
  const wanted = Number(search.get("page"));
  const page = Number.isInteger(wanted) && wanted >= 1 && wanted <= 1_000_000_000 ? wanted : 1;
  return [page, (next) => setSearch((old) => withPage(old, next))];
}

/**
 * Goes to the last page if the URL names a later one, e.g. an old link, or after the last item of a page was deleted.
 * `pages`: number of pages; undefined until it is known.
 */
export function useLastPageAtMost(pages: number | undefined): void {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page"));
  useEffect(() => {
    if (pages !== undefined && pages >= 1 && page > pages) setSearch((old) => withPage(old, pages), { replace: true });
  }, [page, pages, setSearch]);
}

function withPage(search: URLSearchParams, page: number): URLSearchParams {
  const changed = new URLSearchParams(search);
  if (page === 1) changed.delete("page");
  else changed.set("page", String(page));
  return changed;
}
