import { stringify } from "yaml";
import { SPLITS } from "../../../../shared/entities/export";
import type { Sides } from "../../../../shared/formats/sides";
import { boxLine, outlineLine, poseLine } from "../../../../shared/formats/yolo";
import { toTriples } from "../../../../shared/rules/keypointTriples";
import { Unusable } from "../../imports/read/readItem";
import { type Drawn, type FormatContext, type FormatWriter, folderOfSplit, type ImageInZip } from "./format";

/** The line of an annotation. Throws Unusable. */
type LineOf = (row: Drawn, category: number, sides: Sides) => string;

export const yoloBoxes = (context: FormatContext): FormatWriter =>
  yolo(context, ({ bbox }, category, sides) => found(boxLine(category, bbox, sides), NO_BOX));

export const yoloOutlines = (context: FormatContext): FormatWriter =>
  yolo(context, (row, category, sides) => found(outlineLine(category, row, sides), "has no area in the image"));

/**
 * Boxes with keypoints. All lines have as many as the category with most has: what a category lacks is unset. Throws an
 * Error for people where no category has any.
 */
export function yoloPoses(context: FormatContext): FormatWriter {
  const definitions = context.categories.map(({ keypoints }) => keypoints);
  const count = Math.max(0, ...definitions.map(({ labels }) => labels.length));
  if (count === 0) throw new Error("YOLO pose needs keypoints: none of the exported categories has keypoint labels.");
  const lineOf: LineOf = (row, category, sides) => {
    const definition = definitions[category];
    const triples = definition ? toTriples(row.keypoints, definition) : [];
    const { line, outside } = found(poseLine(category, row.bbox, { triples, count }, sides), NO_BOX);
    if (outside) context.note("has keypoints outside the image, which were left out", row);
    return line;
  };
  return yolo(context, lineOf, {
    kpt_shape: [count, 3],
    kpt_names: numbered(definitions.map(({ labels }) => labels.map(({ name }) => name))),
  });
}

const NO_BOX = "has no box in the image";

function found<T>(line: T | undefined, otherwise: string): T {
  if (line === undefined) throw new Unusable(otherwise);
  return line;
}

/** YOLO as Ultralytics lays it out: data.yaml, images/ and labels/ with a folder each split, a text file an image. */
function yolo(context: FormatContext, lineOf: LineOf, keypoints: object = {}): FormatWriter {
  return {
    head: () => [{ path: "data.yaml", content: yamlOf({ ...foldersAndNames(context), ...keypoints }) }],
    imageWriter({ image, stem, split }: ImageInZip) {
      const lines: string[] = [];
      return {
        add(row, category) {
          if (row.iscrowd) throw new Unusable("is a crowd, which YOLO has no word for");
          lines.push(lineOf(row, category, image));
        },
        files: () => [
          { path: `${folderOfSplit("labels", split)}${stem}.txt`, content: lines.map((line) => `${line}\n`).join("") },
        ],
      };
    },
    imagePath: ({ image, stem, split }) => `${folderOfSplit("images", split)}${stem}${endingOf(image.path)}`,
    tail: () => [],
  };
}

/** Readers want `train` and `val`, also where there is one part only. */
function foldersAndNames({ categories, splits = [] }: FormatContext): object {
  const folder = (wanted: (typeof SPLITS)[number]) => `images/${splits.includes(wanted) ? wanted : splits[0]}`;
  const dealt = Object.fromEntries(
    SPLITS.filter((split) => split !== "test" || splits.includes(split)).map((split) => [split, folder(split)]),
  );
  const folders = splits.length > 0 ? dealt : { train: "images", val: "images" };
  return { ...folders, names: numbered(categories.map(({ name }) => name)) };
}

/** By number, as data.yaml says things of classes: as keys of an object the numbers would be texts. */
const numbered = <T>(list: readonly T[]): Map<number, T> => new Map(list.entries());

/** In quotes, since to readers of YAML 1.1, as Python's is, a name such as "no" is false. */
const yamlOf = (data: object): string =>
  stringify(data, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });

const endingOf = (path: string): string => /(?<=[^/])\.[^./]*$/.exec(path)?.[0] ?? "";
