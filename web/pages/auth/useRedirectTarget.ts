import { useSearchParams } from "react-router-dom";
import { safePath } from "../../io/http/safePath";

/** Returns the path to open after login: the `redirect` parameter if it is within this application, or the datasets. */
export function useRedirectTarget(): string {
  const [search] = useSearchParams();
  return safePath(search.get("redirect")) ?? "/datasets";
}
