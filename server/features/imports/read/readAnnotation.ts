import { boxRing, keypointBbox, shapeRings } from "../../../../shared/coco/measure";
import { type Turn, turnBbox, turnKeypoints, turnShape, turnSize, turnTriples } from "../../../../shared/coco/turn";
import { randomColor } from "../../../../shared/color/randomColor";
import type { Size } from "../../../../shared/entities/image";
import { color, type Json, type Metadata, metadata } from "../../../../shared/entities/scalars";
import type { Bbox, Ring, Rle } from "../../../../shared/entities/shape";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";
import { rotatedBy } from "../../../../shared/rules/rotation";
import type { AnnotationRow } from "../../../db/schema";
import { measured } from "../../measuring/measuring";
import { type Item, Unusable } from "./readItem";
import { type ReadKeypoints, readKeypoints } from "./readKeypoints";
import { readBbox, readSegmentation } from "./readShape";
import { hasRounded, unknownKeys } from "./unknownKeys";

/** Image to which an item of the file belongs. Width and height are those of the upright image. */
export interface FileImage extends Size {
  id: number;
  /** EXIF orientation to apply, if the file was made for the stored pixels; otherwise null. */
  turn: Turn | null;
  /** Number of annotations before the import. */
  count: number;
}

/** Category to which an item of the file belongs. `labels` are label ids in the file's order. */
export interface FileCategory {
  id: number;
  labels: readonly number[];
}

export type ImportedAnnotation = Pick<
  AnnotationRow,
  | "image_id"
  | "category_id"
  | "area"
  | "bbox"
  | "iscrowd"
  | "isbbox"
  | "color"
  | "metadata"
  | "attributes"
  | "keypoints"
  | "extra"
> & { shape: Ring[] | Rle | null };

/** Keys stored in a column, and keys of older files that have no meaning here. */
const KNOWN: ReadonlySet<string> = new Set([
  "id",
  "image_id",
  "category_id",
  "segmentation",
  "area",
  "bbox",
  "iscrowd",
  "isbbox",
  "color",
  "metadata",
  "keypoints",
  "num_keypoints",
  "dataset_id",
  "paper_object",
  "deleted",
  "deleted_date",
]);

/** Known keys of an item whose attributes are values by name. Attributes in any other form stay an unknown key. */
const KNOWN_WITH_ATTRIBUTES: ReadonlySet<string> = new Set([...KNOWN, "attributes"]);

/** Notes in the report that a part of an annotation was changed. */
export type Note = (text: string) => void;

/**
 * Reads an item of `annotations` as a row. Segmentation, area, bbox and iscrowd are kept exactly as in the file;
 * missing values are measured. `mask`: the mask of the upright image, if it was turned already. Throws Unusable with
 * the reason for an item without anything to draw, and NeedsMeasuring for a heavy shape that has not been measured yet.
 */
export function readAnnotation(
  item: Item,
  image: FileImage,
  category: FileCategory,
  note: Note,
  mask?: Rle,
): ImportedAnnotation {
  const given = readGiven(item, image, category, note);
  const { shape, keypoints } = turned(given, image, mask);
  const points = keypoints?.points ?? null;
  // Limn exports `isbbox: false` for an annotation with keypoints only, whose bbox surrounds the keypoints.
  const hasPoints = keypoints !== null && keypoints.points.length + keypoints.extraKeypoints.length > 0;
  const isPoints = item.isbbox === false && hasPoints;
  const isBox = shape === null && !isPoints && given.bbox !== undefined && given.bbox[2] > 0 && given.bbox[3] > 0;
  if (shape === null && !isBox && !hasPoints) throw new Unusable(whatIsMissing(item, given));
  if (item.bbox !== undefined && item.bbox !== null && !readBbox(item.bbox))
    note("bbox was not four usable numbers and was computed");
  if (item.area !== undefined && item.area !== null && !isArea(item.area))
    note("area was not a number and was computed");

  const attributes = metadata.safeParse(item.attributes).data as Metadata | undefined;
  if (hasRounded(attributes)) note("has integers above 2^53 in attributes, which were rounded");
  const measures = measureMissing(item, { shape, isBox, points }, turnedBbox(given.bbox, image), image);
  return {
    image_id: image.id,
    category_id: category.id,
    shape,
    ...measures,
    iscrowd: readFlag(item.iscrowd, "iscrowd", note),
    isbbox: isBox || readFlag(item.isbbox, "isbbox", note),
    color: readColor(item.color, note),
    metadata: readMetadata(item.metadata, note),
    attributes: attributes ?? null,
    keypoints: points,
    extra: readExtra(item, attributes ? KNOWN_WITH_ATTRIBUTES : KNOWN, { hasNoShape: shape === null, keypoints }, note),
  };
}

/** Returns the reason why an item without segmentation cannot be drawn. */
function whatIsMissing(item: Item, { bbox }: Given): string {
  if (bbox) return "has a bbox without width or height, and no segmentation";
  if (item.bbox !== undefined && item.bbox !== null) return "has a bbox that is not four numbers, and no segmentation";
  return "has neither segmentation nor bbox nor keypoints";
}

interface Given {
  shape: Ring[] | Rle | null;
  bbox: Bbox | undefined;
  keypoints: ReadKeypoints | null;
}

function readGiven(item: Item, image: FileImage, category: FileCategory, note: Note): Given {
  const bbox = readBbox(item.bbox);
  const shape = readSegmentation(item.segmentation, sizeInFile(image));
  const keypoints = readKeypoints(item.keypoints, category.labels);
  const isBox = shape === null && bbox && bbox[2] > 0 && bbox[3] > 0;
  const corners = isBox ? rotatedBy(item.attributes, bbox) : null;
  if (!corners) return { shape, bbox, keypoints };
  note("was a box with a rotation, and became its four corners");
  return { shape: [corners], bbox: undefined, keypoints };
}

/** Returns the width and height of the image to which the file's coordinates refer. */
export const sizeInFile = ({ width, height, turn }: FileImage): Size =>
  turn ? turnSize(turn, { width, height }) : { width, height };

function turned(
  { shape, keypoints }: Given,
  image: FileImage,
  mask: Rle | undefined,
): Pick<Given, "shape" | "keypoints"> {
  const { turn } = image;
  if (!turn) return { shape, keypoints };
  const size = sizeInFile(image);
  return {
    shape: mask ?? (turnShape(turn, shape, size) as Given["shape"]),
    keypoints: keypoints && {
      ...keypoints,
      points: turnKeypoints(turn, keypoints.points, size),
      extraKeypoints: turnTriples(turn, keypoints.extraKeypoints, size),
    },
  };
}

const turnedBbox = (bbox: Bbox | undefined, image: FileImage): Bbox | undefined =>
  bbox && image.turn ? turnBbox(image.turn, bbox, sizeInFile(image)) : bbox;

/** Returns area and box from the file. Missing values are computed as in the reference COCO mask code. */
function measureMissing(
  item: Item,
  { shape, isBox, points }: { shape: Ring[] | Rle | null; isBox: boolean; points: ReadKeypoints["points"] | null },
  bbox: Bbox | undefined,
  image: Size,
): { area: number; bbox: Bbox } {
  const area = isArea(item.area) ? item.area : undefined;
  if (area !== undefined && bbox) return { area, bbox };
  const own = measureShape(shape, isBox ? bbox : undefined, image) ?? { area: 0, bbox: keypointBbox(points ?? []) };
  return { area: area ?? own.area, bbox: bbox ?? own.bbox };
}

/** Maximum area: far more than the largest image has, and small enough for exact sums of areas. */
const MAX_AREA = 1e15;

const isArea = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= MAX_AREA;

function measureShape(shape: Ring[] | Rle | null, box: Bbox | undefined, { width, height }: Size) {
  const isMask = shape !== null && !Array.isArray(shape);
  const rings = isMask || shape === null ? box && [[boxRing(box)]] : shapeRings(shape, [0, 0, 0, 0], false);
  if (!isMask && !rings) return undefined;
  const found = measured(isMask ? { rle: shape } : { rings: rings ?? [], width, height });
  if ("problem" in found) throw new Unusable(CANNOT_BE_MEASURED);
  return found;
}

/** The reason for leaving out an annotation whose missing area or box cannot be computed. */
export const CANNOT_BE_MEASURED = "its outline cannot be measured";

/** Reads a flag. COCO writes 0 and 1; false and true are accepted too. */
function readFlag(value: unknown, key: string, note: Note): boolean {
  if (value === 1 || value === true) return true;
  if (value !== 0 && value !== false && value !== undefined && value !== null)
    note(`${key} was neither 0 nor 1 and was read as 0`);
  return false;
}

function readColor(value: unknown, note: Note): string {
  if (value === undefined || value === null) return randomColor();
  const { success, data } = color.safeParse(value);
  if (success) return data;
  note("color was not #rrggbb and was replaced");
  return randomColor();
}

function readMetadata(value: unknown, note: Note): Metadata {
  if (value === undefined || value === null) return {};
  const { success, data } = metadata.safeParse(value);
  if (success) return data as Metadata;
  note("metadata cannot be stored, and was left out");
  return {};
}

/**
 * Returns the unknown keys of an item. Names of columns are used for values that their column cannot hold:
 * `segmentation` of an annotation without a shape (null or an empty list), and `keypoints` for extra keypoints.
 */
function readExtra(
  item: Item,
  known: ReadonlySet<string>,
  { hasNoShape, keypoints }: { hasNoShape: boolean; keypoints: ReadKeypoints | null },
  note: Note,
): { [key: string]: Json } | null {
  const { kept, dropped } = unknownKeys(item, known);
  if (dropped) note("has unknown keys that cannot be stored, which were left out");
  if (hasRounded(kept)) note("has integers above 2^53 in unknown keys, which were rounded");
  const more: { [key: string]: Json } = {};
  if (hasNoShape && item.segmentation !== undefined) more.segmentation = item.segmentation as Json;
  if (keypoints?.isShort) note("has fewer keypoints than its category has labels: the others are unset");
  if (keypoints && keypoints.extraKeypoints.length > 0) {
    more[EXTRA_KEYPOINTS_KEY] = keypoints.extraKeypoints;
    note("has keypoints without a label in the category, which are kept but not drawn");
  }
  return Object.keys(more).length > 0 ? { ...kept, ...more } : kept;
}
