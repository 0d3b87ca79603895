import { useState } from "react";
import { useSearchParams } from "react-router-dom";

/** Number of entries from which a list offers a search. */
const SEARCH_FROM = 8;

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

/**
 * Returns true if a list should offer a search: `total` entries are many, or there is a search. Once it is offered, the
 * field stays, because the user may be typing in it.
 */
export function useOffersSearch(search: string, total: number | undefined): boolean {
  const [wasOffered, setOffered] = useState(false);
  const isOffered = wasOffered || search !== "" || (total !== undefined && total >= SEARCH_FROM);
  if (isOffered && !wasOffered) setOffered(true);
  return isOffered;
}
