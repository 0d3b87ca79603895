import type { SegmentationForm } from "../../../../shared/entities/export";
import type { Shape } from "../../../../shared/entities/shape";
import { toWire } from "../../../../shared/rules/keypointDefinition";
import { EXTRA_KEYPOINTS_KEY, countLabeledKeypoints, toTriples } from "../../../../shared/rules/keypointTriples";
import type { CategoryRow, ImageRow } from "../../../db/schema";
import { jsonInTurns } from "../../../threads/jsonInTurns";
import type { CocoRow, CocoTextRow } from "../../annotations/rows/annotationPages";
import { segmentationOf } from "../../measuring/segmentationOf";

/** Rows as a COCO file has them. */

export type CocoImageRow = Pick<ImageRow, "id" | "width" | "height" | "path" | "dataset_id" | "metadata" | "extra">;
/** `extra`: what imported files say of it beside, in this dataset. */
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

/** `category` and `image` are the annotation's own; `requester`: under whose name what is heavy is worked out. */
export async function cocoAnnotation(
  row: CocoRow,
  category: CocoCategoryRow,
  image: Sides,
  form: SegmentationForm | undefined,
  requester: string,
): Promise<CocoObject> {
  const { shape, bbox, isbbox, iscrowd } = row;
  const { width, height } = image;
  // To be left out where a file had none; an empty list for what was made here without a shape.
  const none = row.import_id === null ? [] : null;
  const said = shape && { shape, bbox, isbbox, iscrowd, width, height, form };
  const segmentation = said ? await segmentationOf(said, requester) : none;
  const { id, image_id, category_id } = row;
  const own = { id, image_id, category_id, ...(segmentation !== null && { segmentation }) };
  return withExtra({ ...own, ...restOf(row, category) }, row.extra ?? {});
}

/** The same as JSON. What goes out as it is stored is not parsed: numbers are most of a file. */
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

/** A list of polygons, or an RLE, that goes out as it is. */
const isAsStored = (shape: string, form: SegmentationForm | undefined): boolean =>
  shape.startsWith("[") ? form !== "rle" : form !== "polygon" && !shape.startsWith('{"rings"');

function restOf(row: Omit<CocoRow, "shape">, category: CocoCategoryRow): CocoObject {
  const { area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra } = row;
  const rest = { area, bbox, iscrowd: iscrowd ? 1 : 0, isbbox, color, metadata };
  if (!keypoints) return rest;
  return {
    ...rest,
    keypoints: [...toTriples(keypoints, category.keypoints), ...beyond(extra?.[EXTRA_KEYPOINTS_KEY])],
    num_keypoints: countLabeledKeypoints(keypoints, category.keypoints) + countBeyond(extra?.[EXTRA_KEYPOINTS_KEY]),
  };
}

/** Triples for which the category had no label when they came in. */
const beyond = (kept: unknown): number[] => (Array.isArray(kept) ? kept : []);

const countBeyond = (kept: unknown): number => beyond(kept).filter((value, i) => i % 3 === 2 && value > 0).length;

/** Keys that a file once said beside those of its own, which they never overwrite. */
function withExtra(own: CocoObject, extra: CocoObject): CocoObject {
  const more = Object.entries(extra).filter(([key]) => !Object.hasOwn(own, key) && key !== EXTRA_KEYPOINTS_KEY);
  return more.length > 0 ? { ...own, ...Object.fromEntries(more) } : own;
}
