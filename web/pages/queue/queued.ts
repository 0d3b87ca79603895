/** Query of the annotator's address for images that come from the queue: "next" then asks the queue again. */
export const QUEUED = "queue=true";

/** Returns true if an address is of an image that came from the queue. */
export const isQueued = (search: URLSearchParams): boolean => search.get("queue") === "true";

/** Returns the query parameters of the list that previous and next follow. */
export function listParameters(search: URLSearchParams): Record<string, string> {
  const { queue: _, ...list } = Object.fromEntries(search);
  return list;
}
