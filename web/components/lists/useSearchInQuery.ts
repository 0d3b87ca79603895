import { useSearchParams } from "react-router-dom";

/** Number of entries from which a list offers a search. */
export const SEARCH_FROM = 8;

/** Returns the list's search text from the URL (`?search=cat`), and its setter, which goes to the first page. */
export function useSearchInQuery(): [string, (text: string) => void] {
  const [params, setParams] = useSearchParams();
  const setSearch = (text: string) =>
    setParams(
      (old) => {
        const changed = new URLSearchParams(old);
        changed.delete("page");
        if (text.trim() === "") changed.delete("search");
        else changed.set("search", text.trim());
        return changed;
      },
      { replace: true },
    );
  return [params.get("search")?.trim().slice(0, 200) ?? "", setSearch];
}
