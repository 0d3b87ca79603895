import type { QueryClient } from "@tanstack/react-query";
import { CATEGORIES_KEY, DATASETS_KEY, datasetKey, INFO_KEY, TASKS_KEY, UNDO_KEY, USER_KEY } from "../../queries/keys";

const LISTS = new Set<unknown>(
  [USER_KEY, INFO_KEY, TASKS_KEY, DATASETS_KEY, CATEGORIES_KEY, UNDO_KEY, datasetKey(0)].map(([name]) => name),
);

/** Reloads failed queries, and lists that may have changed, once the connection is back. */
export function refreshAfterReconnect(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ queryKey, state }) => state.status === "error" || LISTS.has(queryKey[0]),
  });
}
