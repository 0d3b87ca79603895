import { useSearchParams } from "react-router-dom";
import { safePath } from "../../io/http/safePath";

/** Returns the page to open after logging in: the wanted one if it is one of ours, otherwise the datasets. */
export function useRedirectTarget(): string {
  const [search] = useSearchParams();
  return safePath(search.get("redirect")) ?? "/datasets";
}
