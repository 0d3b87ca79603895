import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeFiles } from "../../../server/files/files";
import type { ImageFiles } from "../../../server/files/imageFiles";
import { ImageError } from "../../../server/files/paths/imageError";
import { temporaryFolder } from "../../support/folders";
import { goodImages, readCorners } from "../../support/images";

const data = temporaryFolder();
let images: ImageFiles;

beforeAll(async () => {
  ({ images } = makeFiles({ DATA_DIR: data, DATASETS_DIR: join(data, "datasets"), MAX_UPLOAD_MB: 100 }));
  mkdirSync(join(data, "datasets", "set"), { recursive: true });
});

/** Mulberry32: the same damage in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Flips some bits, most of them near the beginning, where sizes and offsets are. */
function damaged(whole: Buffer, next: () => number): Buffer {
  const bytes = Buffer.from(whole);
  for (let flips = 1 + Math.floor(next() * 8); flips > 0; flips--) {
    const at = Math.floor(next() * (next() < 0.7 ? Math.min(120, bytes.length) : bytes.length));
    bytes[at] = next() < 0.3 ? 0xff : (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
  }
  return next() < 0.2 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
}

it("accepts or refuses damaged files of every kind, and shows those it accepted", async () => {
  const next = random(20_261_121);
  const outcomes = { shown: 0, refused: 0 };
  for (const [name, whole] of Object.entries(await goodImages())) {
    for (let round = 0; round < 15; round++) {
      const path = `${round} ${name}`;
      writeFileSync(join(data, "datasets", "set", path), damaged(whole, next));
      try {
        const facts = await images.probe("set", path);
        const view = await images.view({ folder: "set", path, ...facts }, { width: 20 });
        const { width } = await readCorners((await view?.content()) as Buffer);
        expect(width).toBeLessThanOrEqual(20);
        outcomes.shown++;
      } catch (error) {
        if (!(error instanceof ImageError)) throw error;
        outcomes.refused++;
      }
    }
  }
  expect(outcomes.shown).toBeGreaterThan(20);
  expect(outcomes.refused).toBeGreaterThan(20);
});
