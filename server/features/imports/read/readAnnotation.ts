import { boxRing, keypointBbox, shapeRings } from "../../../../shared/coco/measure";
import {
  type Sides,
  type Turn,
  turnBbox,
  turnKeypoints,
  turnShape,
  turnSides,
  turnTriples,
} from "../../../../shared/coco/turn";
import { randomColor } from "../../../../shared/color/randomColor";
import { color, type Json, type Metadata, metadata } from "../../../../shared/entities/scalars";
import type { Bbox, Ring, Rle } from "../../../../shared/entities/shape";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";
import type { AnnotationRow } from "../../../db/schema";
import { measured } from "../../measuring/measuring";
import { hasRounded, unknownKeys } from "./keptKeys";
import { type Item, Unusable } from "./readItem";
import { type ReadKeypoints, readKeypoints } from "./readKeypoints";
import { readBbox, readSegmentation } from "./readShape";

/** The image to which an item of the file belongs. Sides are those of the image as it is shown. */
export interface FileImage extends Sides {
  id: number;
  /** Set where the file was made for the image as it is stored, before its EXIF orientation is applied. */
  turn: Turn | null;
  /** Annotations it had before. */
  count: number;
}

/** The category to which an item of the file belongs; `labels` are label ids in the file's order. */
export interface FileCategory {
  id: number;
  labels: readonly number[];
}

export type ImportedAnnotation = Pick<
  AnnotationRow,
  "image_id" | "category_id" | "area" | "bbox" | "iscrowd" | "isbbox" | "color" | "metadata" | "keypoints" | "extra"
> & { shape: Ring[] | Rle | null };

/** Keys that have a column of their own, and those of older files that say nothing here. */
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

/** Notes a part of an annotation that was not taken unchanged; the report counts it. */
export type Note = (text: string) => void;

/**
 * An item of `annotations` as a row. What the file says of segmentation, area, bbox and crowd is kept to the number; what
 * it does not say is measured. `mask`: its mask as the image is shown, where it was turned before. Throws Unusable with the reason, for an item that nothing can be drawn of, and
 * NeedsMeasuring for a heavy one that was not measured before.
 */
export function readAnnotation(
  item: Item,
  image: FileImage,
  category: FileCategory,
  note: Note,
  mask?: Rle,
): ImportedAnnotation {
  const given = readGiven(item, image, category);
  const { shape, keypoints } = turned(given, image, mask);
  const points = keypoints?.points ?? null;
  // Our own exports say false of an annotation with keypoints alone, whose bbox is theirs.
  const hasPoints = keypoints !== null && keypoints.points.length + keypoints.extraKeypoints.length > 0;
  const isPoints = item.isbbox === false && hasPoints;
  const isBox = shape === null && !isPoints && given.bbox !== undefined && given.bbox[2] > 0 && given.bbox[3] > 0;
  if (shape === null && !isBox && !hasPoints) throw new Unusable(whatIsMissing(item, given));
  if (item.bbox !== undefined && item.bbox !== null && !given.bbox)
    note("bbox was not four numbers that can be used, and was measured");
  if (item.area !== undefined && item.area !== null && !isArea(item.area))
    note("area was not a number, and was measured");

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
    keypoints: points,
    extra: readExtra(item, shape === null, keypoints, note),
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

function readGiven(item: Item, image: FileImage, category: FileCategory): Given {
  return {
    shape: readSegmentation(item.segmentation, fileSides(image)),
    bbox: readBbox(item.bbox),
    keypoints: readKeypoints(item.keypoints, category.labels),
  };
}

/** Sides of the image that the file's coordinates refer to. */
export const fileSides = ({ width, height, turn }: FileImage): Sides =>
  turn ? turnSides(turn, { width, height }) : { width, height };

function turned(
  { shape, keypoints }: Given,
  image: FileImage,
  mask: Rle | undefined,
): Pick<Given, "shape" | "keypoints"> {
  const { turn } = image;
  if (!turn) return { shape, keypoints };
  const sides = fileSides(image);
  return {
    shape: mask ?? (turnShape(turn, shape, sides) as Given["shape"]),
    keypoints: keypoints && {
      ...keypoints,
      points: turnKeypoints(turn, keypoints.points, sides),
      extraKeypoints: turnTriples(turn, keypoints.extraKeypoints, sides),
    },
  };
}

const turnedBbox = (bbox: Bbox | undefined, image: FileImage): Bbox | undefined =>
  bbox && image.turn ? turnBbox(image.turn, bbox, fileSides(image)) : bbox;

/** Area and box from the file, and where it has none, as the reference COCO mask code measures them. */
function measureMissing(
  item: Item,
  { shape, isBox, points }: { shape: Ring[] | Rle | null; isBox: boolean; points: ReadKeypoints["points"] | null },
  bbox: Bbox | undefined,
  image: Sides,
): { area: number; bbox: Bbox } {
  const area = isArea(item.area) ? item.area : undefined;
  if (area !== undefined && bbox) return { area, bbox };
  const own = measureShape(shape, isBox ? bbox : undefined, image) ?? { area: 0, bbox: keypointBbox(points ?? []) };
  return { area: area ?? own.area, bbox: bbox ?? own.bbox };
}

/** Far more than the largest image has, and little enough that areas can be added up. */
const MAX_AREA = 1e15;

const isArea = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= MAX_AREA;

function measureShape(shape: Ring[] | Rle | null, box: Bbox | undefined, { width, height }: Sides) {
  const isMask = shape !== null && !Array.isArray(shape);
  const rings = isMask || shape === null ? box && [[boxRing(box)]] : shapeRings(shape, [0, 0, 0, 0], false);
  if (!isMask && !rings) return undefined;
  const found = measured(isMask ? { rle: shape } : { rings: rings ?? [], width, height });
  if ("problem" in found) throw new Unusable(CANNOT_BE_MEASURED);
  return found;
}

/** The reason for leaving out an annotation whose missing area or box cannot be computed. */
export const CANNOT_BE_MEASURED = "its outline cannot be measured";

/** COCO writes 0 and 1; false and true are as good. */
function readFlag(value: unknown, key: string, note: Note): boolean {
  if (value === 1 || value === true) return true;
  if (value !== 0 && value !== false && value !== undefined && value !== null)
    note(`${key} was neither 0 nor 1, and is taken as 0`);
  return false;
}

function readColor(value: unknown, note: Note): string {
  if (value === undefined || value === null) return randomColor();
  const { success, data } = color.safeParse(value);
  if (success) return data;
  note("color was not #rrggbb, and was chosen anew");
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
 * Unknown keys. Under names that have a column stands what the column cannot hold: `segmentation` of an annotation that
 * has no shape (null, an empty list), and `keypoints` beyond the category's labels.
 */
function readExtra(
  item: Item,
  hasNoShape: boolean,
  keypoints: ReadKeypoints | null,
  note: Note,
): { [key: string]: Json } | null {
  const { kept, dropped } = unknownKeys(item, KNOWN);
  if (dropped) note("has unknown keys that cannot be stored, which were left out");
  if (hasRounded(kept)) note("has whole numbers beyond 2^53 in keys of its own, which were rounded");
  const more: { [key: string]: Json } = {};
  if (hasNoShape && item.segmentation !== undefined) more.segmentation = item.segmentation as Json;
  if (keypoints?.isShort) note("has fewer keypoints than its category has labels: the others are unset");
  if (keypoints && keypoints.extraKeypoints.length > 0) {
    more[EXTRA_KEYPOINTS_KEY] = keypoints.extraKeypoints;
    note("has keypoints beyond the category's labels, which are kept but not drawn");
  }
  return Object.keys(more).length > 0 ? { ...kept, ...more } : kept;
}
