import { FormatError } from "../../../../shared/formats/formatError";
import type { VocItem } from "../../../../shared/formats/vocFile";
import { folderOf } from "../../../../shared/rules/folders";
import { ImageError } from "../../../files/paths/imageError";
import { fileNameOf, withoutExtension } from "../../../files/paths/safePath";
import type { ZipText } from "../../../files/zip/zipTexts";
import { decodeText } from "./decodeText";
import { Items, labelFiles } from "./labelFiles";
import { readText, type VocText } from "./readText";
import { LISTS, type SplitItem, type SplitOptions } from "./splitItem";
import { ANNOTATIONS, imagePaths, isXml } from "./zipNames";

/** Maximum size of one XML file. */
const MAX_BYTES = 4_000_000;

type WholeText = Exclude<VocText, { problem: string }>;

/**
 * Splits a zip of Pascal VOC files into COCO items: an image for each XML file, a category for each object name (which
 * is also its id), and an annotation for each object, with the flags set in the file.
 */
export async function* splitVoc(options: SplitOptions): AsyncGenerator<SplitItem[]> {
  const { lists, onKey } = options;
  for (const key of LISTS) onKey?.(key, true);
  const items = new Items();
  const names = new Set<string>();
  for await (const file of labelFiles(options, isXml)) {
    const read = await readFile(file, options.signal);
    if (lists.includes("images")) addImage(items, file.path, read);
    if (lists.includes("categories")) addCategories(items, names, read);
    if (lists.includes("annotations")) addObjects(items, file.path, read);
    yield* items.fullGroup();
  }
  yield* items.rest();
}

async function readFile(file: ZipText, signal: AbortSignal): Promise<VocText> {
  try {
    return await readText("voc", decodeText(await file.read(MAX_BYTES)), signal);
  } catch (error) {
    if (error instanceof FormatError || error instanceof ImageError) return { problem: error.message };
    throw error;
  }
}

/** Adds the image of an XML file, or the reason why the file cannot be read. */
function addImage(items: Items, path: string, read: VocText): void {
  if ("problem" in read) items.add("images", { value: null, label: path, problem: read.problem });
  else items.add("images", { ...imageOf(path, read), label: path });
}

/**
 * Returns the image of an XML file: in the XML's folder with its `filename`, or at the path that `filename` contains. A
 * name without extension becomes a stem.
 */
function imageOf(
  path: string,
  { filename, width, height }: Omit<WholeText, "objects">,
): Pick<SplitItem, "value" | "stems"> {
  const places = imagePaths(path, ANNOTATIONS);
  const slashed = filename.replaceAll("\\", "/");
  const given = fileNameOf(slashed);
  const [first = "", last = ""] = [places[0], places.at(-1)].map((place) => folderOf(place ?? "") + given);
  if (/[^.]\.\w+$/.test(given))
    return { value: { id: path, path: first, file_name: slashed.includes("/") ? slashed : last, width, height } };
  const stems = places.map((place) => (given === "" ? withoutExtension(place) : folderOf(place) + given));
  return { value: { id: path, file_name: stems.at(-1) }, stems };
}

const objectsOf = (read: VocText): WholeText["objects"] => ("problem" in read ? [] : read.objects);

function addCategories(items: Items, names: Set<string>, read: VocText): void {
  for (const object of objectsOf(read)) {
    if ("problem" in object || names.has(object.name)) continue;
    names.add(object.name);
    items.add("categories", { value: { id: object.name, name: object.name } });
  }
}

function addObjects(items: Items, path: string, read: VocText): void {
  for (const [i, object] of objectsOf(read).entries()) {
    const label = `${path} object ${i + 1}`;
    if ("problem" in object) items.add("annotations", { value: null, label, problem: object.problem });
    else items.add("annotations", { value: itemOf(path, object), label });
  }
}

/** Returns an object as a COCO annotation, without default values ("0", "Unspecified"). */
function itemOf(path: string, { name, bbox, outline, pose, truncated, occluded, difficult }: VocItem): object {
  return {
    image_id: path,
    category_id: name,
    ...(outline && { segmentation: outline }),
    ...(bbox && { bbox }),
    ...(pose !== "" && pose !== "Unspecified" && { pose }),
    ...(truncated === "1" && { truncated: 1 }),
    ...(isYes(occluded) && { occluded: 1 }),
    ...(difficult === "1" && { difficult: 1 }),
  };
}

/** Returns true for a set flag. LabelMe writes "yes". */
const isYes = (flag: string): boolean => flag === "1" || flag === "yes";
