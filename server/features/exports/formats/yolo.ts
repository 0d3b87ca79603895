import { stringify } from "yaml";
import { SPLITS } from "../../../../shared/entities/export";
import type { Size } from "../../../../shared/entities/image";
import { boxLine, outlineLine, poseLine } from "../../../../shared/formats/yolo";
import { toTriples } from "../../../../shared/rules/keypointTriples";
import { Unusable } from "../../imports/read/readItem";
import { type Drawn, type FormatContext, type FormatWriter, folderOfSplit, type ImageInZip } from "./format";

/** Returns the line of an annotation. Throws Unusable. */
type LineOf = (row: Drawn, category: number, size: Size) => string;

export const yoloBoxes = (context: FormatContext): FormatWriter =>
  yolo(context, ({ bbox }, category, size) => requireLine(boxLine(category, bbox, size), NO_BOX));

export const yoloOutlines = (context: FormatContext): FormatWriter =>
  yolo(context, (row, category, size) => requireLine(outlineLine(category, row, size), "has no area in the image"));

/**
 * Returns a writer of boxes with keypoints. All lines have as many keypoints as the category with the most labels;
 * missing keypoints are unset. Throws an Error whose message is shown to the user if no category has keypoint labels.
 */
export function yoloPoses(context: FormatContext): FormatWriter {
  const definitions = context.categories.map(({ keypoints }) => keypoints);
  const count = Math.max(0, ...definitions.map(({ labels }) => labels.length));
  if (count === 0) throw new Error("YOLO pose needs keypoints: none of the exported categories has keypoint labels.");
  const lineOf: LineOf = (row, category, size) => {
    const definition = definitions[category];
    const triples = definition ? toTriples(row.keypoints, definition) : [];
    const { line, outside } = requireLine(poseLine(category, row.bbox, { triples, count }, size), NO_BOX);
    if (outside) context.note("has keypoints outside the image, which were left out", row);
    return line;
  };
  return yolo(context, lineOf, {
    kpt_shape: [count, 3],
    kpt_names: numbered(definitions.map(({ labels }) => labels.map(({ name }) => name))),
  });
}

const NO_BOX = "has no box in the image";

/** Returns a line. Throws Unusable with the reason if there is none. */
function requireLine<T>(line: T | undefined, reason: string): T {
  if (line === undefined) throw new Unusable(reason);
  return line;
}

/**
 * Returns a writer in Ultralytics' layout: data.yaml, and images/ and labels/ with a folder per set and a text file per
 * image.
 */
function yolo(context: FormatContext, lineOf: LineOf, keypoints: object = {}): FormatWriter {
  return {
    head: () => [{ path: "data.yaml", content: yamlOf({ ...foldersAndNames(context), ...keypoints }) }],
    imageWriter({ image, stem, split }: ImageInZip) {
      const lines: string[] = [];
      return {
        add(row, category) {
          if (row.iscrowd) throw new Unusable("is a crowd, which YOLO cannot express");
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

/**
 * Returns the folders and class names for data.yaml. Readers require `train` and `val` even if there is only one set.
 */
function foldersAndNames({ categories, splits = [] }: FormatContext): object {
  const folder = (wanted: (typeof SPLITS)[number]) => `images/${splits.includes(wanted) ? wanted : splits[0]}`;
  const setFolders = Object.fromEntries(
    SPLITS.filter((split) => split !== "test" || splits.includes(split)).map((split) => [split, folder(split)]),
  );
  const folders = splits.length > 0 ? setFolders : { train: "images", val: "images" };
  return { ...folders, names: numbered(categories.map(({ name }) => name)) };
}

/**
 * Returns a map by class number, as data.yaml has it. As keys of an object, the numbers would be written as strings.
 */
const numbered = <T>(list: readonly T[]): Map<number, T> => new Map(list.entries());

/** Writes YAML with quoted strings, since YAML 1.1 readers such as Python's read a name like "no" as false. */
const yamlOf = (data: object): string =>
  stringify(data, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });

const endingOf = (path: string): string => /(?<=[^/])\.[^./]*$/.exec(path)?.[0] ?? "";
