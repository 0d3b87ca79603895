import { MAX_COORDINATES } from "../../../../shared/constants";
import { FormatError } from "../../../../shared/formats/formatError";
import { readYoloLine } from "../../../../shared/formats/yoloLine";
import { ImageError } from "../../../files/paths/imageError";
import { withoutExtension } from "../../../files/paths/safePath";
import type { ZipText } from "../../../files/zip/zipTexts";
import { makePause } from "../../../threads/makePause";
import { decodeText } from "./decodeText";
import { Items, labelFiles } from "./labelFiles";
import { LISTS, type SplitItem, type SplitOptions } from "./splitItem";
import { type YoloNames, yoloNames } from "./yoloNames";
import { imagePaths, isLabels, LABELS } from "./zipNames";

/** Maximum size of one label file. */
const MAX_BYTES = 16_000_000;
/** Maximum characters of a line: the coordinates of the largest annotation, with more digits than a double has. */
const MAX_LINE = 25 * MAX_COORDINATES;

/**
 * Splits a zip of YOLO labels into COCO items: an image for each label file, named by its path without extension; a
 * category for each class, with its number as id; and an annotation for each line, whose coordinates are fractions of
 * the image's width and height.
 */
export async function* splitYolo(options: SplitOptions): AsyncGenerator<SplitItem[]> {
  const { lists, onKey } = options;
  for (const key of LISTS) onKey?.(key, true);
  const classes = await yoloNames(options);
  const items = new Items();
  if (lists.includes("categories")) addCategories(items, classes);
  yield* items.rest();
  for await (const file of labelFiles(options, (path) => isLabels(path, classes.hasFolder))) {
    if (lists.includes("images")) addImage(items, file.path);
    if (lists.includes("annotations")) yield* addLines(items, file, classes);
    yield* items.fullGroup();
  }
  yield* items.rest();
}

function addCategories(items: Items, classes: YoloNames): void {
  for (const [id, name] of classes.names)
    items.add("categories", { value: { id, name, ...(classes.keypoints && { keypoints: labelsOf(id, classes) }) } });
}

/**
 * Returns the keypoint labels of a class. All lines have the same number of keypoints; a class with fewer names has
 * only as many labels.
 */
function labelsOf(classNumber: number, { keypoints, keypointNames }: YoloNames): string[] {
  const count = keypoints?.[0] ?? 0;
  const names = keypointNames.get(classNumber);
  return names ? names.slice(0, count) : Array.from({ length: count }, (_, i) => `keypoint ${i + 1}`);
}

/** Returns the points of a line without unset ones after the last label of the class. */
function pointsOf(classNumber: number, points: readonly number[], classes: YoloNames): number[] {
  const own = 3 * labelsOf(classNumber, classes).length;
  return points.slice(own).some((value) => value !== 0) ? [...points] : points.slice(0, own);
}

function addImage(items: Items, path: string): void {
  const stems = imagePaths(path, LABELS, "images").map(withoutExtension);
  items.add("images", { value: { id: path, file_name: stems.at(-1) }, stems, label: path });
}

/** Adds the lines of a label file. Yields items in groups, since one file may have a million lines. */
async function* addLines(items: Items, file: ZipText, classes: YoloNames): AsyncGenerator<SplitItem[]> {
  const { path } = file;
  let text: string;
  try {
    text = decodeText(await file.read(MAX_BYTES));
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof ImageError)) throw error;
    items.add("annotations", { value: null, label: path, problem: error.message });
    return;
  }
  const pause = makePause();
  let number = 0;
  for (const line of linesOf(text)) {
    number++;
    if (line.trim() === "") continue;
    items.add("annotations", { ...readLine(line, path, classes), label: `${path} line ${number}`, text: line });
    yield* items.fullGroup();
    await pause();
  }
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end < 0 ? undefined : end);
    from = end < 0 ? text.length : end + 1;
  }
}

function readLine(line: string, path: string, classes: YoloNames): Pick<SplitItem, "value" | "problem" | "isRelative"> {
  try {
    if (line.length > MAX_LINE) throw new FormatError("is longer than an outline can be");
    const { classNumber, bbox, outline, keypoints: points } = readYoloLine(line, classes.keypoints);
    const shape = outline ? { segmentation: [outline] } : { bbox };
    return {
      value: {
        image_id: path,
        category_id: classNumber,
        ...shape,
        ...(points && { keypoints: pointsOf(classNumber, points, classes) }),
      },
      isRelative: true,
    };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { value: null, problem: error.message };
  }
}
