import type { Runs } from "../../../../shared/coco/runs";
import { shapeRuns } from "../../../../shared/coco/shapeRuns";
import type { Size } from "../../../../shared/entities/image";
import { type Band, indexPng } from "../../../files/decode/indexPng";
import { Unusable } from "../../imports/read/readItem";
import { type Drawn, type FormatContext, type FormatWriter, folderOfSplit } from "./format";

/** Number of values of an 8-bit and of a 16-bit pixel, without 0, which is the background. */
const MAX_CATEGORIES = 255;
const MAX_OBJECTS = 65_535;

interface Painted {
  runs: Runs;
  value: number;
}

/**
 * Returns a writer of masks by category: one PNG per image with a palette, in which a pixel is the number of its
 * category in legend.json, or 0. Where shapes overlap, the later annotation covers the earlier one. Throws an Error
 * whose message is shown to the user if there are too many categories.
 */
export function semanticMasks({ categories }: FormatContext): FormatWriter {
  if (categories.length > MAX_CATEGORIES)
    throw new Error(
      `A mask by category holds at most ${MAX_CATEGORIES} categories. Choose some of the ${categories.length}.`,
    );
  const palette = ["#000000", ...categories.map(({ color }) => color)];
  const legend = categories.map(({ id, name, supercategory, color }, i) => ({
    value: i + 1,
    id,
    name,
    supercategory,
    color,
  }));
  return {
    head: () => [{ path: "legend.json", content: JSON.stringify(legend, null, 2) }],
    imageWriter({ image, stem, split }) {
      const painted: Painted[] = [];
      return {
        add: (row, category) => void painted.push({ runs: runsOf(row, image), value: category + 1 }),
        files: () => [maskFile(`${folderOfSplit("masks", split)}${stem}.png`, image, palette, painted)],
      };
    },
    imagePath: ({ image, split }) => `${folderOfSplit("images", split)}${image.path}`,
    tail: () => [],
  };
}

/**
 * Returns a writer of masks by object: one 16-bit PNG per image, in which a pixel is the number of its object, or 0,
 * and a JSON file with the number, annotation and category of each object.
 */
export function instanceMasks({ categories }: FormatContext): FormatWriter {
  return {
    head: () => [],
    imageWriter({ image, stem, split }) {
      const painted: Painted[] = [];
      const objects: object[] = [];
      return {
        add(row, category) {
          if (objects.length === MAX_OBJECTS) throw new Unusable(`exceeds the ${MAX_OBJECTS} objects of a mask`);
          const value = objects.length + 1;
          painted.push({ runs: runsOf(row, image), value });
          const { name } = categories[category] ?? {};
          objects.push({
            value,
            annotation_id: row.id,
            category_id: row.category_id,
            category: name,
            iscrowd: row.iscrowd ? 1 : 0,
          });
        },
        files() {
          const path = `${folderOfSplit("masks", split)}${stem}`;
          return [
            maskFile(`${path}.png`, image, null, painted),
            { path: `${path}.json`, content: JSON.stringify(objects, null, 2) },
          ];
        },
      };
    },
    imagePath: ({ image, split }) => `${folderOfSplit("images", split)}${image.path}`,
    tail: () => [],
  };
}

function runsOf({ shape, bbox, isbbox }: Drawn, { width, height }: Size): Runs {
  const runs = shapeRuns(shape, bbox, isbbox, width, height);
  if (!runs || runs.length < 2) throw new Unusable("has no area in the image");
  return runs;
}

function maskFile(path: string, { width, height }: Size, palette: readonly string[] | null, painted: Painted[]) {
  const paint = (band: Band, from: number, to: number) => {
    for (const each of painted) paintRuns(band, each, height, from, to);
  };
  return { path, content: indexPng({ width, height, palette, paint }), isPacked: true };
}

/**
 * Paints a mask's odd runs, which go column by column through an image of `height`. The band has the rows [from, to).
 */
function paintRuns(
  { pixels, stride, bytes }: Band,
  { runs, value }: Painted,
  height: number,
  from: number,
  to: number,
): void {
  const [high, low] = [value >> 8, value & 0xff];
  let start = 0;
  for (let i = 0; i < runs.length; i++) {
    const end = start + runs[i]!;
    for (let p = start; i % 2 === 1 && p < end; ) {
      const column = Math.floor(p / height);
      const top = p - column * height;
      const bottom = Math.min(height, top + end - p);
      for (let y = Math.max(top, from); y < Math.min(bottom, to); y++) {
        const at = (y - from) * stride + 1 + column * bytes;
        if (bytes === 2) pixels[at] = high;
        pixels[at + bytes - 1] = low;
      }
      p += bottom - top;
    }
    start = end;
  }
}
