import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { noteFirstPage } from "../../io/firstPage";

/** Notes that the first page is shown, once all its queries have ended. Must be rendered after the page. */
export function FirstPage() {
  const client = useQueryClient();
  const isFetching = useIsFetching() > 0;
  useEffect(() => {
    // The page starts its queries in its effects, which run before this effect but after the count above.
    if (!isFetching && client.isFetching() === 0) noteFirstPage();
  }, [client, isFetching]);
  return null;
}
