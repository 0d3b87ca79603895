import { type Kysely, sql } from "kysely";
import type { z } from "zod";
import type { pixels } from "../../../../shared/api/datasets/imports";
import { isTurn, swapsWidthAndHeight, type Turn } from "../../../../shared/coco/turn";
import { hasFileName, isLiveImage } from "../../../db/rows/images";
import type { ImageRow, Schema } from "../../../db/schema";
import { fileNameOf } from "../../../files/paths/safePath";
import type { FileImage } from "../read/readAnnotation";
import { type Item, pixelsOf } from "../read/readItem";

/** Reasons, counted in the report, why an image of the file has no match in the dataset. */
export type Unmatched = "not in the dataset" | "ambiguous file name" | "size differs" | "no file name";

export interface ImageMatch {
  /** Name in the file. */
  name: string;
  image: FileImage | Unmatched;
  /** True if the image was found only by its file name, without a folder. */
  byName: boolean;
  /** Present for an image with an EXIF orientation other than 1. */
  exif?: Exif | undefined;
}

export type Pixels = z.infer<typeof pixels>;

export interface Exif {
  turn: Turn;
  /**
   * Pixels that the file was made for, as its width and height prove; undefined if they fit both the stored and the
   * upright pixels.
   */
  proves: Pixels | undefined;
}

type DatasetImage = Pick<
  ImageRow,
  "id" | "path" | "file_name" | "width" | "height" | "orientation" | "num_annotations"
>;

/**
 * Finds the dataset's image for each item of a file's `images`: by `path` or `file_name` as a path in the dataset, else
 * by the file name alone if it is unique. If a file has neither, like LVIS, the name is taken from `coco_url`. Accented
 * letters match in either Unicode form. Images in the trash are not found. Makes two queries.
 */
export async function matchImages(
  db: Kysely<Schema>,
  datasetId: number,
  items: readonly Item[],
): Promise<ImageMatch[]> {
  const paths = items.map(possiblePaths);
  const byPath = await knownByPath(db, datasetId, [...new Set(paths.flat())]);
  const found = paths.map((candidates) => candidates.map((path) => byPath.get(path)).find(Boolean));
  const names = items.map((item, i) => (found[i] ? [] : bareNames(item)));
  const byName = await knownByName(db, datasetId, [...new Set(names.flat())]);
  return items.map((item, i) => {
    const name = nameOf(item);
    const known = found[i] ?? names[i]?.map((bare) => byName.get(bare)).find(Boolean);
    const image = checkImage(item, known);
    const exif = typeof image === "object" && typeof known === "object" ? exifOf(item, known) : undefined;
    return { name, image, byName: !found[i] && typeof known === "object", exif };
  });
}

const nameOf = (item: Item): string => String(item.file_name ?? item.path ?? urlName(item) ?? "").slice(0, 1000);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 2000;
const isStorableText = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed();

/** Returns the paths in the dataset that an item may refer to, most likely first. */
function possiblePaths({ path, file_name }: Item): string[] {
  const given = [path, file_name].filter(isText).filter(isStorableText);
  const paths = given.flatMap((text) => [text, plainPath(text), plainPath(withoutFolders(text))]);
  return withForms([...paths, ...paths.map(decoded)]);
}

/** Adds the composed and decomposed Unicode forms of texts. macOS writes accents as separate characters. */
function withForms(texts: readonly string[]): string[] {
  const forms = [texts, texts.map((text) => text.normalize("NFC")), texts.map((text) => text.normalize("NFD"))];
  return [...new Set(forms.flat())].filter(Boolean);
}

/** "http://images.example.org/train/7.jpg" -> "7.jpg" */
function urlName({ coco_url }: Item): string | undefined {
  if (!isText(coco_url) || !URL.canParse(coco_url)) return undefined;
  return fileNameOf(new URL(coco_url).pathname) || undefined;
}

/** "./a\\b.jpg" -> "a/b.jpg", tried if there is no image with the former name. */
const plainPath = (text: string): string => text.replaceAll("\\", "/").replace(/^(\.?\/)+/, "");

const isAddress = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text);

/** "my%20cat.jpg" -> "my cat.jpg", tried if there is no image with the former name. */
function decoded(path: string): string {
  try {
    const text = decodeURIComponent(path);
    return isStorableText(text) ? text : path;
  } catch {
    return path;
  }
}

/** "/datasets/cats/a/b.jpg" (in older exports) -> "a/b.jpg" */
const withoutFolders = (text: string): string => text.replace(/^\/datasets\/[^/]+\//, "");

function bareNames(item: Item): string[] {
  const text = [item.file_name, item.path, urlName(item)].find(isText);
  if (text === undefined || !isStorableText(text)) return [];
  const path = plainPath(isAddress(text) ? new URL(text).pathname : text);
  return withForms([fileNameOf(path), fileNameOf(decoded(path))]);
}

const COLUMNS = ["id", "path", "file_name", "width", "height", "orientation", "num_annotations"] as const;

async function knownByPath(db: Kysely<Schema>, datasetId: number, paths: string[]): Promise<Map<string, DatasetImage>> {
  const rows = await db
    .selectFrom("images")
    .select(COLUMNS)
    .where("dataset_id", "=", datasetId)
    .where("path", "=", sql<string>`any(${paths}::text[])`)
    .where(isLiveImage())
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

async function knownByName(
  db: Kysely<Schema>,
  datasetId: number,
  names: string[],
): Promise<Map<string, DatasetImage | "ambiguous file name">> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom("images")
    .select(COLUMNS)
    .select(sql<number>`count(*) over (partition by file_name)`.as("namesakes"))
    .distinctOn("file_name")
    .where("dataset_id", "=", datasetId)
    .where(hasFileName(names))
    .where(isLiveImage())
    .orderBy("file_name")
    .execute();
  return new Map(rows.map(({ namesakes, ...row }) => [row.file_name, namesakes === 1 ? row : "ambiguous file name"]));
}

function checkImage(item: Item, known: DatasetImage | "ambiguous file name" | undefined): FileImage | Unmatched {
  if (![item.file_name, item.path, urlName(item)].some(isText)) return "no file name";
  if (known === undefined) return "not in the dataset";
  if (typeof known === "string") return known;
  const { id, width, height, orientation, num_annotations: count } = known;
  const [fileWidth, fileHeight] = [pixelsOf(item.width) ?? width, pixelsOf(item.height) ?? height];
  if (fileWidth === width && fileHeight === height) return { id, width, height, turn: null, count };
  const isStored =
    isTurn(orientation) && swapsWidthAndHeight(orientation) && fileWidth === height && fileHeight === width;
  return isStored ? { id, width, height, turn: orientation, count } : "size differs";
}

/**
 * Returns an image's turn, and the pixels that its item in the file proves; undefined for an image that is stored
 * upright. An item without width and height proves nothing.
 */
export function exifOf(
  item: Item,
  { width, height, orientation }: Omit<DatasetImage, "id" | "path">,
): Exif | undefined {
  if (!isTurn(orientation)) return undefined;
  const [fileWidth, fileHeight] = [pixelsOf(item.width), pixelsOf(item.height)];
  if (!swapsWidthAndHeight(orientation) || width === height) return { turn: orientation, proves: undefined };
  if (fileWidth === width || fileHeight === height) return { turn: orientation, proves: "upright" };
  const isStored = fileWidth === height || fileHeight === width;
  return { turn: orientation, proves: isStored ? "stored" : undefined };
}
