import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import { ringsBounds } from "../../../shared/geometry/polygons";
import { signedArea } from "../../../shared/geometry/ring";
import type { SceneCategory } from "../document/document";
import type { SceneImage } from "../document/subjects/openImage";

interface Context {
  image: Pick<SceneImage, "id" | "file_name" | "width" | "height">;
  categories: readonly SceneCategory[];
  /** Returns the rings that an annotation is displayed with, in image pixels. */
  ringsOf: (annotation: Annotation) => Rings;
}

/**
 * Returns annotations as the text of a COCO document. In addition to COCO's keys, an annotation has `isbbox`, `color`,
 * `metadata` and `attributes`, and if it has holes, `rings`: each polygon as an outer ring followed by its holes.
 */
export function cocoText(annotations: readonly Annotation[], { image, categories, ringsOf }: Context): string {
  const used = new Set(annotations.map(({ category_id }) => category_id));
  const byId = new Map(categories.map((category) => [category.id, category]));
  const { id, file_name, width, height } = image;
  return JSON.stringify({
    images: [{ id, file_name, width, height }],
    categories: categories.filter((category) => used.has(category.id)).map(cocoCategory),
    annotations: annotations.map((annotation, index) => ({
      id: index + 1,
      image_id: id,
      ...cocoAnnotation(annotation, ringsOf(annotation), byId.get(annotation.category_id)),
    })),
  });
}

function cocoCategory({ id, name, supercategory, keypoint_labels, keypoint_edges }: SceneCategory) {
  const keypoints = keypoint_labels.length > 0 && { keypoints: keypoint_labels, skeleton: keypoint_edges };
  return { id, name, supercategory, ...keypoints };
}

function cocoAnnotation(
  { category_id, isbbox, color, metadata, attributes, keypoints }: Annotation,
  rings: Rings,
  category: SceneCategory | undefined,
) {
  const hasHoles = rings.some((polygon) => polygon.length > 1);
  return {
    category_id,
    segmentation: rings.flatMap((polygon) => polygon.slice(0, 1)),
    ...(hasHoles && { rings }),
    area: areaOf(rings),
    bbox: ringsBounds(rings),
    iscrowd: 0,
    isbbox,
    color,
    metadata,
    attributes,
    ...(category && keypoints?.length && keypointsOf(keypoints, category)),
  };
}

function keypointsOf(keypoints: NonNullable<Annotation["keypoints"]>, { keypoint_label_ids }: SceneCategory) {
  const byLabel = new Map(keypoints.map((point) => [point.label, point]));
  const points = keypoint_label_ids.map((label) => byLabel.get(label));
  return {
    keypoints: points.flatMap((point) => (point ? [point.x, point.y, point.v] : [0, 0, 0])),
    num_keypoints: points.filter((point) => point && point.v > 0).length,
  };
}

/** Returns the area of the outer rings without their holes, in square pixels. */
function areaOf(rings: Rings): number {
  return rings.reduce(
    (sum, polygon) =>
      polygon.reduce((rest, ring, index) => rest + (index === 0 ? 1 : -1) * Math.abs(signedArea(ring)), sum),
    0,
  );
}
