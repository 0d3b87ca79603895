import { stringify } from "yaml";
import { SPLITS } from "../../../shared/entities/export";
import { boxLine, outlineLine } from "../../../shared/formats/yolo";
import { Unusable } from "../coco/readItem";
import { type Drawn, type FormatContext, type FormatWriter, folderOfSplit, type PictureInZip } from "./format";

/** YOLO as Ultralytics lays it out: data.yaml, images/ and labels/ with a folder each split, a text file a picture. */
export function yolo(context: FormatContext, kind: "boxes" | "outlines"): FormatWriter {
  return {
    head: () => [{ path: "data.yaml", content: dataYaml(context) }],
    picture({ image, stem, split }: PictureInZip) {
      const lines: string[] = [];
      return {
        add(row, category) {
          if (row.iscrowd) throw new Unusable("is a crowd, which YOLO has no word for");
          lines.push(lineOf(row, category, image, kind));
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

function lineOf(
  row: Drawn,
  category: number,
  sides: { width: number; height: number },
  kind: "boxes" | "outlines",
): string {
  const line = kind === "boxes" ? boxLine(category, row.bbox, sides) : outlineLine(category, row, sides);
  if (line === undefined)
    throw new Unusable(kind === "boxes" ? "has no box in the picture" : "has no area in the picture");
  return line;
}

/** Readers want `train` and `val`, also where there is one part only. */
function dataYaml({ categories, splits = [] }: FormatContext): string {
  const folder = (wanted: (typeof SPLITS)[number]) => `images/${splits.includes(wanted) ? wanted : splits[0]}`;
  const dealt = Object.fromEntries(
    SPLITS.filter((split) => split !== "test" || splits.includes(split)).map((split) => [split, folder(split)]),
  );
  const folders = splits.length > 0 ? dealt : { train: "images", val: "images" };
  return stringify({ ...folders, names: Object.fromEntries(categories.map(({ name }, i) => [i, name])) });
}

const endingOf = (path: string): string => /(?<=[^/])\.[^./]*$/.exec(path)?.[0] ?? "";
