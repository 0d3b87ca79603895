import {
  annotationItem,
  annotationRest,
  type CocoObject,
  cocoCategory,
} from "../../../../shared/coco/items/writeItems";
import type { SegmentationForm } from "../../../../shared/entities/export";
import type { Size } from "../../../../shared/entities/image";
import type { Shape } from "../../../../shared/entities/shape";
import { toWire } from "../../../../shared/rules/keypointDefinition";
import { withRotation } from "../../../../shared/rules/rotation";
import type { CategoryRow, ImageRow } from "../../../db/schema";
import { jsonInTurns } from "../../../threads/jsonInTurns";
import type { CocoRow, CocoTextRow } from "../../annotations/rows/annotationPages";
import { segmentationOf } from "../../measuring/segmentationOf";

/** Conversion of rows to COCO items. */

export type CocoImageRow = Pick<ImageRow, "id" | "width" | "height" | "path" | "dataset_id" | "metadata" | "extra">;
/** Columns of an exported category. `extra`: its unknown keys from files imported into this dataset. */
export type CocoCategoryRow = Pick<
  CategoryRow,
  "id" | "name" | "supercategory" | "color" | "metadata" | "keypoints" | "attributes"
> & { extra?: CocoObject };

/** Returns a category as a COCO item. */
export const cocoCategoryOf = (category: CocoCategoryRow): CocoObject =>
  cocoCategory({ ...category, ...toWire(category.keypoints) });

/**
 * Returns an annotation as a COCO item. `category` and `image` are those of the annotation. The time for heavy shapes
 * is charged to `requester`.
 */
export async function cocoAnnotation(
  row: CocoRow,
  category: CocoCategoryRow,
  image: Size,
  form: SegmentationForm | undefined,
  requester: string,
): Promise<CocoObject> {
  const { shape, bbox, isbbox, iscrowd } = row;
  const { width, height } = image;
  // Null, which is left out, for imported annotations; an empty list for annotations created in Limn without a shape.
  const none = row.import_id === null ? [] : null;
  const stored = shape && { shape, bbox, isbbox, iscrowd, width, height, form };
  const segmentation = stored ? await segmentationOf(stored, requester) : none;
  const isDrawn = shape !== null && "rings" in shape;
  const attributes = isDrawn ? withRotation(row.attributes, shape.rings) : row.attributes;
  return annotationItem({ ...row, attributes }, category.keypoints, segmentation);
}

/**
 * Returns an annotation as JSON. A shape that is written as it is stored is not parsed, since most of a file is
 * numbers.
 */
export async function cocoAnnotationText(
  row: CocoTextRow,
  category: CocoCategoryRow,
  image: Size,
  form: SegmentationForm | undefined,
  requester: string,
): Promise<string> {
  const { shape } = row;
  if (shape === null || !isAsStored(shape, form)) {
    const parsed: Shape = shape === null ? null : JSON.parse(shape);
    return jsonInTurns(await cocoAnnotation({ ...row, shape: parsed }, category, image, form, requester));
  }
  const { id, image_id, category_id } = row;
  const rest = JSON.stringify(annotationRest(row, category.keypoints));
  return `{"id":${id},"image_id":${image_id},"category_id":${category_id},"segmentation":${shape},${rest.slice(1)}`;
}

/** Returns true if a shape's JSON can be written as it is stored. */
const isAsStored = (shape: string, form: SegmentationForm | undefined): boolean =>
  shape.startsWith("[") ? form !== "rle" : form !== "polygon" && !shape.startsWith('{"rings"');
