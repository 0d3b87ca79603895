/** Bits that say what an image is for the order. */
export const DONE = 1;
export const ANNOTATED = 2;
/** May be given to the user for whom the order is. */
export const OPEN = 4;

/** Images of a page: `kinds` has the bits of each, `embeddings` their numbers, one image after the other. */
export interface OrderedPage {
  ids: number[];
  kinds: number[];
  embeddings: Uint8Array<ArrayBuffer>;
}

/**
 * Requests to the thread: to forget earlier images, to add a page, and to order all of them. The response to the last
 * is ids.
 */
export type OrderQuestion = { begin: true } | { add: OrderedPage } | { order: number };
export type OrderAnswer = number[];
