import { randomUUID } from "node:crypto";
import { compress } from "../../shared/coco/rle";
import { seededRandom } from "../support/seededRandom";
import type { Client } from "./client";

/** Request bodies with which one user keeps the server busy, each within its limits or just beyond. */

export interface StallBody {
  what: string;
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: unknown;
  /** Creates the body, after creating the rows that it refers to. */
  make?: (send: Client["send"]) => Promise<unknown>;
}

/** Returns an outline that goes from one side of the image to the other and back, from top to bottom. */
export function zigzag(points: number, width: number, height: number): number[] {
  return Array.from({ length: points }, (_, i) => [i % 2 ? width - 1.5 : 0.5, (i * height) / points]).flat();
}

export function scattered(points: number, width: number, height: number, seed: number): number[] {
  const next = seededRandom(seed);
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
    olderSave("an older client's save of 16 outlines of 55,000 points", small, category, (i) => ({
      stored: scattered(100, 640, 480, i),
      returned: scattered(55_000, 8, 480, i),
    })),
    olderSave("an older client's save of 16 outlines that are simplified point by point", small, category, (i) => ({
      stored: combOutline(4_000, i),
      returned: combOutline(4_000, i + 100),
    })),
    {
      what: "GET /annotation/ with masks of 20,000 runs",
      method: "GET",
      path: "annotation/?limit=50",
      make: async (send) => {
        for (let i = 0; i < 8; i++)
          await send("POST", "annotation/", { image_id: large, category_id: category, segmentation: speckledMask(i) });
      },
    },
    {
      what: "GET image/{id}/coco?segmentation=polygon of these",
      method: "GET",
      path: `image/${large}/coco?segmentation=polygon`,
    },
  ];
}

/** Returns a mask of an image of 9,000 x 9,000 with 20,000 runs. */
function speckledMask(seed: number) {
  const next = seededRandom(seed);
  const runs = Array.from({ length: 20_000 }, () => 1 + Math.floor(next() * 3000));
  const rest = 9000 * 9000 - runs.reduce((sum, run) => sum + run, 0);
  return { size: [9000, 9000], counts: compress([...runs, rest]) };
}

/** Returns an outline from which simplification drops no point, and whose chains it halves as unevenly as possible. */
const combOutline = (points: number, seed: number): number[] =>
  Array.from({ length: points }, (_, i) => [i / 8, (i % 2) * (100 + seed + i / 40)]).flat();

/**
 * Creates sixteen annotations, and returns the whole state with another outline of each, as an older client sends it.
 */
function olderSave(
  what: string,
  imageId: number,
  categoryId: number,
  outlines: (i: number) => { stored: number[]; returned: number[] },
): StallBody {
  const all = Array.from({ length: 16 }, (_, i) => outlines(i));
  return {
    what,
    method: "POST",
    path: "annotator/data",
    make: async (send) => {
      const annotations: object[] = [];
      for (const { stored, returned } of all) {
        const made = { image_id: imageId, category_id: categoryId, segmentation: [stored] };
        const { id } = await send<{ id: number }>("POST", "annotation/", made);
        annotations.push({ id, compoundPath: ["CompoundPath", { children: [pathOf(returned)] }] });
      }
      return { image: { id: imageId }, categories: [{ id: categoryId, annotations }] };
    },
  };
}

function pathOf(ring: readonly number[]) {
  const segments = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]! - 320, ring[2 * i + 1]! - 240]);
  return ["Path", { segments, closed: true }];
}
