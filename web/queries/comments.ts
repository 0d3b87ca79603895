import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { countUnreadComments, listThreads } from "../../shared/api/comments";
import type { QueryOf } from "../../shared/api/protocol/call";
import { request } from "../io/http/request";
import { socket } from "../io/live/socket";
import { COMMENTS_KEY } from "./keys";
import { useQueryState } from "./queryState";

type Query = Partial<QueryOf<typeof listThreads>>;

/**
 * Its number is in the frame of all pages: a session that has ended must not close the annotator while it is asked for.
 */
const unreadQuery = queryOptions({
  queryKey: [...COMMENTS_KEY, "unread"],
  queryFn: ({ signal }) => request(countUnreadComments, {}, { signal }),
  meta: { quiet: true, keepsPage: true },
});

/** Number of unread comments that concern the user. Counted again when the server reports new ones. */
export function useUnreadComments() {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    const handle = () => void client.invalidateQueries({ queryKey: COMMENTS_KEY });
    live.on("comments", handle);
    return () => void live.off("comments", handle);
  }, [client]);
  return useQueryState(unreadQuery);
}

/** A page of threads. */
export const useThreadList = (query: Query) =>
  useQueryState({
    queryKey: [...COMMENTS_KEY, "list", query],
    queryFn: ({ signal }) => request(listThreads, { query }, { signal }),
  });

/** True if a dataset has threads that are not resolved; false while that is unknown. */
export function useHasOpenThreads(datasetId: number): boolean {
  const list = useQueryState({
    queryKey: [...COMMENTS_KEY, "any", datasetId],
    queryFn: ({ signal }) => request(listThreads, { query: { dataset_id: datasetId, limit: 1 } }, { signal }),
    meta: { quiet: true },
  });
  return list.state === "loaded" && list.data.pagination.total > 0;
}
