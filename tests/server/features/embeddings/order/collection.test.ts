import { describe, expect, test } from "vitest";
import { Collection } from "../../../../../server/features/embeddings/order/collection";
import { ANNOTATED, DONE, OPEN } from "../../../../../server/features/embeddings/order/orderQuestion";

const bytesOf = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

describe("images of a dataset", () => {
  test("without annotations come first, farthest from all labelled ones, then those with annotations", () => {
    const images = new Collection();
    images.add({
      ids: [1, 2, 3],
      kinds: [DONE | ANNOTATED, OPEN, OPEN | ANNOTATED],
      embeddings: bytesOf(0, 0, 1, 0, 9, 0),
    });
    images.add({ ids: [4, 5, 6], kinds: [OPEN, OPEN | ANNOTATED, ANNOTATED], embeddings: bytesOf(5, 0, 3, 0, 8, 0) });
    // 4 lies 2 from the nearest labelled image, 2 lies 1. Then 3 lies 4 from 4, 5 lies 2 from it.
    expect(images.order(300)).toEqual([4, 2, 3, 5]);
  });

  test("are at most as many as asked for, and none for no images", () => {
    const images = new Collection();
    expect(images.order(300)).toEqual([]);
    images.add({ ids: [1, 2, 3], kinds: [OPEN, OPEN, OPEN | ANNOTATED], embeddings: bytesOf(1, 2, 4) });
    expect(images.order(2)).toHaveLength(2);
  });

  test("are left out if their embeddings have another length", () => {
    const images = new Collection();
    images.add({ ids: [1, 2], kinds: [OPEN, OPEN], embeddings: bytesOf(1, 2, 3, 4) });
    images.add({ ids: [3], kinds: [OPEN], embeddings: bytesOf(1, 2, 3) });
    images.add({ ids: [], kinds: [], embeddings: bytesOf() });
    expect(images.order(300).sort()).toEqual([1, 2]);
  });
});
