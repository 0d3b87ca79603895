import type { Annotation } from "../../../shared/entities/annotation";
import type { Point } from "../canvas/view/view";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import { isPlaced } from "./model/points";
import { type Example, type Frame, frameOf as frameOfPoints, template } from "./model/template";

interface Surroundings {
  document: AnnotatorDocument;
  seen: Frame;
  frameOf: (annotation: Annotation) => Frame | null;
}

/**
 * Returns initial positions for the labels that an annotation lacks: like the last complete annotation of the category,
 * otherwise around the shape or the middle of the visible part. Image pixels.
 */
export function placesFor(
  annotation: Annotation,
  category: SceneCategory,
  { document, seen, frameOf }: Surroundings,
): Map<number, Point> {
  const { width, height } = document.state.image;
  const labels = category.keypoint_label_ids;
  const complete = document
    .ofCategory(category.id)
    .findLast((other) => other.uuid !== annotation.uuid && labels.every((label) => isPlaced(other, label)));
  const places = template({
    labels: labels.filter((label) => !isPlaced(annotation, label)),
    placed: (annotation.keypoints ?? []).filter(({ label, v }) => v > 0 && labels.includes(label)),
    example: complete ? exampleOf(complete, labels, frameOf) : null,
    shape: frameOf(annotation),
    view: seen,
  });
  const within = (value: number, end: number) => Math.min(Math.max(value, 0), end);
  return new Map([...places].map(([label, { x, y }]) => [label, { x: within(x, width), y: within(y, height) }]));
}

function exampleOf(other: Annotation, labels: readonly number[], frameOf: Surroundings["frameOf"]): Example {
  const points = (other.keypoints ?? []).filter(({ label }) => labels.includes(label));
  return {
    points: new Map(points.map((point) => [point.label, point])),
    frame: frameOf(other) ?? frameOfPoints(points),
  };
}
