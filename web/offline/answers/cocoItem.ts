import type { CopiedAnnotation, ManifestCategory } from "../../../shared/api/offline";
import { toCocoSegmentation } from "../../../shared/coco/items/toCocoSegmentation";
import { annotationItem, type CocoObject } from "../../../shared/coco/items/writeItems";
import { MAX_ID } from "../../../shared/constants";
import type { SegmentationForm } from "../../../shared/entities/export";
import type { Size } from "../../../shared/entities/image";
import type { KeypointDefinition } from "../../../shared/entities/keypoint";
import type { Ring, Rle, Shape } from "../../../shared/entities/shape";

/**
 * Writes annotations as COCO items equal to the server's, with segmentations in `form`, or in the form that fits each.
 */
export class AnnotationItems {
  private unnumbered = 0;

  constructor(private readonly form: SegmentationForm | undefined) {}

  /** Returns an annotation's item. One that the server has not stored yet gets an id above all that servers assign. */
  itemOf(annotation: CopiedAnnotation, category: ManifestCategory, image: Size): CocoObject {
    const id = annotation.id ?? MAX_ID + ++this.unnumbered;
    const { attributes, extra = null } = annotation;
    const isGiven = attributes && Object.keys(attributes).length > 0;
    const source = { ...annotation, id, attributes: isGiven ? attributes : null, extra };
    return annotationItem(source, definitionOf(category), segmentationOf(annotation, image, this.form));
  }
}

function segmentationOf(annotation: CopiedAnnotation, image: Size, form: SegmentationForm | undefined) {
  const { bbox, isbbox, iscrowd, stored } = annotation;
  const shape = shapeOf(annotation);
  if (shape === null) return stored === "absent" ? null : ([] as Ring[]);
  return toCocoSegmentation({ shape, bbox, isbbox, iscrowd, ...image, form });
}

/** Returns the shape as it is stored on the server. */
function shapeOf({ rings, rle, stored }: CopiedAnnotation): Shape {
  if (stored === "absent" || stored === "box") return null;
  if (rings === null) return rle satisfies Rle | null;
  if (rings.length === 0) return null;
  return stored === "list" ? rings.flat() : { rings };
}

/** Returns the part of a category's keypoint definition that items of annotations need. */
const definitionOf = (category: ManifestCategory): KeypointDefinition => ({
  labels: category.keypoint_label_ids.map((id, i) => ({
    id,
    name: category.keypoint_labels[i] ?? "",
    color: category.keypoint_colors[i] ?? category.color,
  })),
  edges: [],
  removed: [],
});
