import type { SegmentationForm } from "../../../../shared/entities/export";
import type { Shape } from "../../../../shared/entities/shape";
import { toWire } from "../../../../shared/rules/keypointDefinition";
import { countLabeledKeypoints, EXTRA_KEYPOINTS_KEY, toTriples } from "../../../../shared/rules/keypointTriples";
import type { CategoryRow, ImageRow } from "../../../db/schema";
import { jsonInTurns } from "../../../threads/jsonInTurns";
import type { CocoRow, CocoTextRow } from "../../annotations/rows/annotationPages";
import { segmentationOf } from "../../measuring/segmentationOf";

/** Conversion of rows to COCO items. */

export type CocoImageRow = Pick<ImageRow, "id" | "width" | "height" | "path" | "dataset_id" | "metadata" | "extra">;
/** Columns of an exported category. `extra`: its unknown keys from files imported into this dataset. */
export type CocoCategoryRow = Pick<
  CategoryRow,
  "id" | "name" | "supercategory" | "color" | "metadata" | "keypoints"
> & { extra?: CocoObject };

type CocoObject = { [key: string]: unknown };

export function cocoImage({ id, width, height, path, dataset_id, metadata, extra }: CocoImageRow): CocoObject {
  const own = { id, width, height, file_name: path, dataset_id };
  return withExtra({ ...own, ...(Object.keys(metadata).length > 0 && { metadata }) }, extra);
}

export function cocoCategory(category: CocoCategoryRow): CocoObject {
  const { id, name, supercategory, color, metadata, keypoints, extra = {} } = category;
  const { keypoint_labels, keypoint_edges, keypoint_colors } = toWire(keypoints);
  const own = { id, name, supercategory, color, metadata, keypoint_colors };
  const points = keypoint_labels.length > 0 && { keypoints: keypoint_labels, skeleton: keypoint_edges };
  return withExtra({ ...own, ...points }, extra);
}

type Sides = { width: number; height: number };

/**
 * Returns an annotation as a COCO item. `category` and `image` are those of the annotation. The time for heavy shapes
 * is charged to `requester`.
 */
export async function cocoAnnotation(
  row: CocoRow,
  category: CocoCategoryRow,
  image: Sides,
  form: SegmentationForm | undefined,
  requester: string,
): Promise<CocoObject> {
  const { shape, bbox, isbbox, iscrowd } = row;
  const { width, height } = image;
  // Left out if an imported file had none; an empty list for annotations created in Limn without a shape.
  const none = row.import_id === null ? [] : null;
  const stored = shape && { shape, bbox, isbbox, iscrowd, width, height, form };
  const segmentation = stored ? await segmentationOf(stored, requester) : none;
  const { id, image_id, category_id } = row;
  const own = { id, image_id, category_id, ...(segmentation !== null && { segmentation }) };
  return withExtra({ ...own, ...restOf(row, category) }, row.extra ?? {});
}

/**
 * Returns an annotation as JSON. A shape that is written as it is stored is not parsed, since most of a file is
 * numbers.
 */
export async function cocoAnnotationText(
  row: CocoTextRow,
  category: CocoCategoryRow,
  image: Sides,
  form: SegmentationForm | undefined,
  requester: string,
): Promise<string> {
  const { shape } = row;
  if (shape === null || !isAsStored(shape, form)) {
    const parsed: Shape = shape === null ? null : JSON.parse(shape);
    return jsonInTurns(await cocoAnnotation({ ...row, shape: parsed }, category, image, form, requester));
  }
  const { segmentation: _, ...extra } = row.extra ?? {};
  const rest = JSON.stringify(withExtra(restOf(row, category), extra));
  const { id, image_id, category_id } = row;
  return `{"id":${id},"image_id":${image_id},"category_id":${category_id},"segmentation":${shape},${rest.slice(1)}`;
}

/** Returns true if a shape's JSON can be written as it is stored. */
const isAsStored = (shape: string, form: SegmentationForm | undefined): boolean =>
  shape.startsWith("[") ? form !== "rle" : form !== "polygon" && !shape.startsWith('{"rings"');

function restOf(row: Omit<CocoRow, "shape">, category: CocoCategoryRow): CocoObject {
  const { area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra } = row;
  const rest = { area, bbox, iscrowd: iscrowd ? 1 : 0, isbbox, color, metadata };
  if (!keypoints) return rest;
  return {
    ...rest,
    keypoints: [...toTriples(keypoints, category.keypoints), ...extraTriples(extra?.[EXTRA_KEYPOINTS_KEY])],
    num_keypoints: countLabeledKeypoints(keypoints, category.keypoints) + countExtra(extra?.[EXTRA_KEYPOINTS_KEY]),
  };
}

/** Returns the extra keypoints as flat triples. */
const extraTriples = (kept: unknown): number[] => (Array.isArray(kept) ? kept : []);

const countExtra = (kept: unknown): number => extraTriples(kept).filter((value, i) => i % 3 === 2 && value > 0).length;

/** Adds the unknown keys of an imported file to an item. They never overwrite its own keys. */
function withExtra(own: CocoObject, extra: CocoObject): CocoObject {
  const more = Object.entries(extra).filter(([key]) => !Object.hasOwn(own, key) && key !== EXTRA_KEYPOINTS_KEY);
  return more.length > 0 ? { ...own, ...Object.fromEntries(more) } : own;
}
