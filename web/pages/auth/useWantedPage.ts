import { useSearchParams } from "react-router-dom";
import { safePath } from "../../io/http/safePath";

/** Where one goes after logging in: the page that was wanted, if it is one of ours, else the datasets. */
export function useWantedPage(): string {
  const [search] = useSearchParams();
  return safePath(search.get("redirect")) ?? "/datasets";
}
