import { useSearchParams } from "react-router-dom";

/** The list's page in the address (`?page=3`), 1-based, so that back and links work. */
export function usePageInQuery(): [number, (page: number) => void] {
  const [search, setSearch] = useSearchParams();
  const wanted = Number(search.get("page"));
  const page = Number.isInteger(wanted) && wanted >= 1 && wanted <= 1_000_000_000 ? wanted : 1;
  const setPage = (next: number) =>
    setSearch((old) => {
      const changed = new URLSearchParams(old);
      if (next === 1) changed.delete("page");
      else changed.set("page", String(next));
      return changed;
    });
  return [page, setPage];
}
