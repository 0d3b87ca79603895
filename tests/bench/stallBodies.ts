import { randomUUID } from "node:crypto";
import { compress } from "../../shared/coco/rle";
import { chance } from "../support/chance";

/** Bodies with which one user keeps the server busy, each within its limits or just beyond. */

export interface StallBody {
  what: string;
  method: "POST" | "PUT";
  path: string;
  body: unknown;
}

/** An outline of upright points that goes from the left border to the right and back. */
export function zigzag(points: number, width: number, height: number): number[] {
  return Array.from({ length: points }, (_, i) => [i % 2 ? width - 1.5 : 0.5, (i * height) / points]).flat();
}

export function scattered(points: number, width: number, height: number, seed: number): number[] {
  const next = chance(seed);
  return Array.from({ length: points }, () => [rounded(next() * width), rounded(next() * height)]).flat();
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

export function creation(imageId: number, categoryId: number, rings: number[][][]) {
  const edit = { uuid: randomUUID(), image_id: imageId, base: 0, subject: "annotation", target: randomUUID() };
  return { ...edit, action: "create", before: {}, after: { category_id: categoryId, rings, isbbox: false } };
}

/** `large` is an image of 9,000 x 9,000, `small` one of 640 x 480. */
export function stallBodies(large: number, small: number, category: number): StallBody[] {
  const zig = [[zigzag(3600, 9000, 9000)]];
  const batch = (edits: unknown[]) => ({ client: "bench-stalls", edits });
  const edits = (what: string, list: unknown[]): StallBody => ({
    what,
    method: "POST",
    path: "annotator/edits",
    body: batch(list),
  });
  const single = (what: string, body: object): StallBody => ({ what, method: "POST", path: "annotation/", body });
  const noise = Array.from({ length: 1_900_000 }, () => 1);
  return [
    edits("one edit, a zigzag of 3,600 points on 9,000 x 9,000", [creation(large, category, zig)]),
    edits(
      "20 such edits",
      Array.from({ length: 20 }, (_, i) => creation(large, category, [[zigzag(3600 - i, 9000, 9000)]])),
    ),
    edits(
      "100 edits of 5,000 scattered points on 640 x 480",
      Array.from({ length: 100 }, (_, i) => creation(small, category, [[scattered(5000, 640, 480, i)]])),
    ),
    single("a zigzag of 3,600 points by POST /annotation/", {
      image_id: large,
      category_id: category,
      segmentation: zig[0],
    }),
    single("100,000 points by POST /annotation/", {
      image_id: small,
      category_id: category,
      segmentation: [scattered(100_000, 20, 480, 3)],
    }),
    single("1,000,000 points by POST /annotation/", {
      image_id: small,
      category_id: category,
      segmentation: Array.from({ length: 10 }, (_, i) => scattered(100_000, 640, 480, i)),
    }),
    single("a mask of 1,900,000 runs by POST /annotation/", {
      image_id: large,
      category_id: category,
      segmentation: { size: [9000, 9000], counts: compress([...noise, 9000 * 9000 - noise.length]) },
    }),
    edits(
      "32 MB of edits",
      Array.from({ length: 19 }, (_, i) => creation(small, category, [[scattered(99_000, 8, 480, i)]])),
    ),
  ];
}
