import { MAX_COORDINATES } from "../../../../shared/constants";
import { FormatError } from "../../../../shared/formats/formatError";
import { readYoloLine } from "../../../../shared/formats/yoloLine";
import { ImageError } from "../../../files/paths/imageError";
import { withoutEnding } from "../../../files/paths/safePath";
import type { ZipText } from "../../../files/zip/zipTexts";
import { makePause } from "../../../threads/makePause";
import { type SplitItem, type SplitOptions, LISTS } from "./splitItem";
import { decodeText } from "./decodeText";
import { Items, labelFiles } from "./labelFiles";
import { type YoloNames, yoloNames } from "./yoloNames";
import { imagePaths, isLabels, LABELS } from "./zipNames";

/** Of one label file. */
const MAX_BYTES = 16_000_000;
/** Letters of a line: as many coordinates as an annotation may have, and of each more than a double has digits. */
const MAX_LINE = 25 * MAX_COORDINATES;

/**
 * A zip of YOLO labels as COCO's items: an image for each label file, named by its path without ending; a category for
 * each class, with its number as id; an annotation for each line, its coordinates shares of the image's sides.
 */
export async function* splitYolo(options: SplitOptions): AsyncGenerator<SplitItem[]> {
  const { lists, onKey } = options;
  for (const key of LISTS) onKey?.(key, true);
  const said = await yoloNames(options);
  const items = new Items();
  if (lists.includes("categories")) addCategories(items, said);
  yield* items.rest();
  for await (const file of labelFiles(options, (path) => isLabels(path, said.hasFolder))) {
    if (lists.includes("images")) addImage(items, file.path);
    if (lists.includes("annotations")) yield* addLines(items, file, said);
    yield* items.some();
  }
  yield* items.rest();
}

function addCategories(items: Items, said: YoloNames): void {
  for (const [id, name] of said.names)
    items.add("categories", { value: { id, name, ...(said.keypoints && { keypoints: labelsOf(id, said) }) } });
}

/** All classes have lines of equal length; one of which fewer names are said has no more keypoints than these. */
function labelsOf(classNumber: number, { keypoints, keypointNames }: YoloNames): string[] {
  const count = keypoints?.[0] ?? 0;
  const said = keypointNames.get(classNumber);
  return said ? said.slice(0, count) : Array.from({ length: count }, (_, i) => `keypoint ${i + 1}`);
}

/** Without the unset ones behind those that the class has names for. */
function pointsOf(classNumber: number, points: readonly number[], said: YoloNames): number[] {
  const own = 3 * labelsOf(classNumber, said).length;
  return points.slice(own).some((value) => value !== 0) ? [...points] : points.slice(0, own);
}

function addImage(items: Items, path: string): void {
  const stems = imagePaths(path, LABELS, "images").map(withoutEnding);
  items.add("images", { value: { id: path, file_name: stems.at(-1) }, stems, label: path });
}

/** Hands the lines on in groups, since one file may have a million. */
async function* addLines(items: Items, file: ZipText, said: YoloNames): AsyncGenerator<SplitItem[]> {
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
    items.add("annotations", { ...readLine(line, path, said), label: `${path} line ${number}`, text: line });
    yield* items.some();
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

function readLine(line: string, path: string, said: YoloNames): Pick<SplitItem, "value" | "problem" | "isRelative"> {
  try {
    if (line.length > MAX_LINE) throw new FormatError("is longer than an outline can be");
    const { classNumber, bbox, outline, keypoints: points } = readYoloLine(line, said.keypoints);
    const shape = outline ? { segmentation: [outline] } : { bbox };
    return {
      value: {
        image_id: path,
        category_id: classNumber,
        ...shape,
        ...(points && { keypoints: pointsOf(classNumber, points, said) }),
      },
      isRelative: true,
    };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { value: null, problem: error.message };
  }
}
