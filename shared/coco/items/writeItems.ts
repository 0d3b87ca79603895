import type { AttributeDefinition } from "../../entities/attribute";
import type { Category } from "../../entities/category";
import type { Keypoint, KeypointDefinition } from "../../entities/keypoint";
import type { Json, Metadata } from "../../entities/scalars";
import type { Bbox, Ring, Rle } from "../../entities/shape";
import { countLabeledKeypoints, EXTRA_KEYPOINTS_KEY, toTriples } from "../../rules/keypointTriples";

/** Items of COCO files. `extra`: unknown keys from imported files, which never overwrite an item's own keys. */

export type CocoObject = { [key: string]: unknown };
type Extra = { [key: string]: Json };

interface ImageSource {
  id: number;
  width: number;
  height: number;
  path: string;
  dataset_id: number;
  metadata: Metadata;
  extra?: Extra | undefined;
}

export function cocoImage({ id, width, height, path, dataset_id, metadata, extra = {} }: ImageSource): CocoObject {
  const own = { id, width, height, file_name: path, dataset_id };
  return withExtra({ ...own, ...(Object.keys(metadata).length > 0 && { metadata }) }, extra);
}

type CategorySource = Pick<
  Category,
  "id" | "name" | "supercategory" | "color" | "metadata" | "keypoint_labels" | "keypoint_edges" | "keypoint_colors"
> & {
  attributes?: readonly AttributeDefinition[] | undefined;
  extra?: CocoObject | undefined;
};

export function cocoCategory(category: CategorySource): CocoObject {
  const { id, name, supercategory, color, metadata, keypoint_labels, keypoint_edges, keypoint_colors } = category;
  const own = { id, name, supercategory, color, metadata, keypoint_colors };
  const points = keypoint_labels.length > 0 && { keypoints: keypoint_labels, skeleton: keypoint_edges };
  const attributes = category.attributes?.length && { attributes: category.attributes };
  return withExtra({ ...own, ...points, ...attributes }, category.extra ?? {});
}

interface AnnotationSource {
  id: number;
  image_id: number;
  category_id: number;
  area: number;
  bbox: Bbox;
  iscrowd: boolean;
  isbbox: boolean;
  color: string;
  metadata: Metadata;
  /** Left out of the item if null. */
  attributes: Metadata | null;
  keypoints: Keypoint[] | null;
  extra: Extra | null;
}

/**
 * Returns the COCO item of an annotation. `definition`: the keypoints of its category. If `segmentation` is null, the
 * item has none.
 */
export function annotationItem(
  source: AnnotationSource,
  definition: KeypointDefinition,
  segmentation: Ring[] | Rle | null,
): CocoObject {
  const { id, image_id, category_id } = source;
  const own = { id, image_id, category_id, ...(segmentation !== null && { segmentation }) };
  return withExtra({ ...own, ...restOf(source, definition) }, source.extra ?? {});
}

/** Returns the same item without the ids and the segmentation. */
export function annotationRest(source: AnnotationSource, definition: KeypointDefinition): CocoObject {
  const { segmentation: _, ...extra } = source.extra ?? {};
  return withExtra(restOf(source, definition), extra);
}

function restOf(source: AnnotationSource, definition: KeypointDefinition): CocoObject {
  const { area, bbox, iscrowd, isbbox, color, metadata, attributes, keypoints, extra } = source;
  const rest = { area, bbox, iscrowd: iscrowd ? 1 : 0, isbbox, color, metadata, ...(attributes && { attributes }) };
  if (!keypoints) return rest;
  return {
    ...rest,
    keypoints: [...toTriples(keypoints, definition), ...extraTriples(extra?.[EXTRA_KEYPOINTS_KEY])],
    num_keypoints: countLabeledKeypoints(keypoints, definition) + countExtra(extra?.[EXTRA_KEYPOINTS_KEY]),
  };
}

/** Returns the extra keypoints as flat triples. */
const extraTriples = (kept: unknown): number[] => (Array.isArray(kept) ? kept : []);

const countExtra = (kept: unknown): number => extraTriples(kept).filter((value, i) => i % 3 === 2 && value > 0).length;

function withExtra(own: CocoObject, extra: CocoObject): CocoObject {
  const more = Object.entries(extra).filter(([key]) => !Object.hasOwn(own, key) && key !== EXTRA_KEYPOINTS_KEY);
  return more.length > 0 ? { ...own, ...Object.fromEntries(more) } : own;
}
