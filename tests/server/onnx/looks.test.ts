import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import type { ImageSource } from "../../../model/dextr/base/imageSource";
import { makeDextr } from "../../../server/onnx/dextr";
import type { LookJob } from "../../../server/onnx/messages";
import type { LookedAt } from "../../../shared/quality/labels/lookedAt";
import { findUnlikelyCategories, MOST_UNLIKELY } from "../../../shared/quality/labels/unlikelyCategories";
import { findUnlikelyOutlines } from "../../../shared/quality/labels/unlikelyOutlines";
import { paintedImage } from "../../support/dextr";
import { DEXTR_PATIENCE } from "../../support/patience";
import type { CocoDocument } from "../../support/photographs";
import { findSamples } from "../../support/samples";
import { seededRandom } from "../../support/seededRandom";

const samples = findSamples();
const { signal } = new AbortController();

describe("looks of the server's DEXTR", () => {
  const dextr = makeDextr({ ...DEXTR_PATIENCE, isTapped: true });
  afterAll(() => dextr.close());

  const look = (job: LookJob, read: ImageSource["read"]) => dextr.look({ userId: -1, job, read, signal });

  it("describe a polygon, a mask and a box, and nothing of a broken mask", async () => {
    const [width, height] = [160, 120];
    const { image } = paintedImage(width, height, (x, y) =>
      x >= 40 && x < 100 && y >= 30 && y < 90 ? [220, 60, 40] : [60, 120, 90],
    );
    const read = image.read.bind(image);
    const bbox: LookJob["bbox"] = [40, 30, 60, 60];
    const shape = [[40, 30, 100, 30, 100, 90, 70, 89, 40, 90]];
    const counts = [40 * height + 30, ...Array.from({ length: 59 }, () => [60, 60]).flat(), 60];
    counts.push(width * height - counts.reduce((sum, run) => sum + run, 0));
    const size: [number, number] = [height, width];
    const common = { width, height, bbox, isbbox: false };
    const polygon = await look({ ...common, shape }, read);
    expect(polygon.overlap).toBeGreaterThan(0.9);
    expect(polygon.features).toHaveLength(64);
    const box = await look({ ...common, shape: null, isbbox: true }, read);
    expect(box.overlap).toBeNull();
    expect(box.features).toHaveLength(64);
    const mask = await look({ ...common, shape: { size, counts } }, read);
    expect([mask.overlap, mask.features?.length]).toEqual([null, 64]);
    const broken = await look({ ...common, shape: { size, counts: [7] } }, read);
    expect(broken).toEqual({ overlap: null, features: null });
  });

  it.runIf(samples)("find most swapped categories of photographs, with few false alarms", async () => {
    const document: CocoDocument = JSON.parse(readFileSync(samples!.instances, "utf8"));
    const looks: LookedAt[] = [];
    for (const { id: image, file_name } of document.images) {
      const { data, info } = await sharp(join(samples!.images, file_name))
        .toColourspace("srgb")
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const read: ImageSource["read"] = async () => ({ data: new Uint8Array(data), left: 0, top: 0, width, height });
      for (const annotation of document.annotations) {
        const { segmentation, area, category_id: category } = annotation;
        if (annotation.image_id !== image || annotation.iscrowd || !Array.isArray(segmentation)) continue;
        const bbox = annotation.bbox as LookedAt["bbox"];
        const seen = await look({ width, height, shape: segmentation, bbox, isbbox: false }, read);
        const [overlap, features] = [seen.overlap, seen.features ?? undefined];
        looks.push({
          id: annotation.id,
          revision: 1,
          image,
          category,
          bbox,
          area,
          frame: { width, height },
          overlap,
          features,
        });
      }
    }
    expect(findUnlikelyCategories(looks).length).toBeLessThanOrEqual(MOST_UNLIKELY * looks.length);
    expect(findUnlikelyOutlines(looks).length).toBeLessThan(0.02 * looks.length);
    const categories = [...new Set(looks.map(({ category }) => category))];
    const random = seededRandom(11);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    let found = 0;
    const [times, swaps] = [10, 8];
    for (let time = 0; time < times; time++) {
      const swapped = new Map<number, number>();
      while (swapped.size < swaps) {
        const { id, category } = pick(looks);
        swapped.set(id, pick(categories.filter((each) => each !== category)));
      }
      const changed = looks.map((each) => ({ ...each, category: swapped.get(each.id) ?? each.category }));
      found += findUnlikelyCategories(changed).filter(({ annotation }) => swapped.has(annotation!)).length;
    }
    console.info(`Swapped categories: ${found / times} of ${swaps} found.`);
    expect(found / times).toBeGreaterThan(4.8);
  });
});
