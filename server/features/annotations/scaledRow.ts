import { boxRing, keypointBbox } from "../../../shared/coco/measure";
import { MAX_COORDINATES } from "../../../shared/constants";
import type { Bbox, Rings, Rle, Shape } from "../../../shared/entities/shape";
import {
  type Scale,
  scaleBbox,
  scaleKeypoints,
  scaleRing,
  scaleRings,
  scaleTriples,
} from "../../../shared/geometry/scale";
import { EXTRA_KEYPOINTS_KEY } from "../../../shared/rules/keypointTriples";
import { badRequest } from "../../base/errors";
import type { AnnotationRow, ImageRow } from "../../db/schema";
import { measured as measuredShape } from "../measuring/measuring";
import { traced } from "../measuring/tracing";
import { isRle } from "./rows/annotationRow";

/** Fields of an annotation that a copy receives. */
export type ScaledRow = Pick<
  AnnotationRow,
  | "category_id"
  | "shape"
  | "area"
  | "bbox"
  | "iscrowd"
  | "isbbox"
  | "color"
  | "metadata"
  | "attributes"
  | "keypoints"
  | "extra"
>;
type Size = Pick<ImageRow, "width" | "height">;

/**
 * Returns an annotation scaled for an image of another size. Its shape is measured again, and a mask becomes outlines.
 * Throws 400 if an outline cannot be measured or is longer than an edit may be, and NeedsMeasuring if a heavy outline
 * has not been measured yet.
 */
export function scaledRow(row: AnnotationRow, to: Size, scale: Scale): ScaledRow {
  const { category_id, iscrowd, isbbox, color, metadata, attributes } = row;
  const keypoints = row.keypoints && scaleKeypoints(row.keypoints, scale);
  const extraKeypoints = row.extra?.[EXTRA_KEYPOINTS_KEY];
  const extra = isNumbers(extraKeypoints) ? { [EXTRA_KEYPOINTS_KEY]: scaleTriples(extraKeypoints, scale) } : null;
  const parts = { category_id, iscrowd, isbbox, color, metadata, attributes, keypoints, extra };
  return { ...parts, ...scaledShape(row, keypoints, to, scale) };
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number");

function scaledShape(
  { shape, bbox, isbbox }: AnnotationRow,
  keypoints: AnnotationRow["keypoints"],
  to: Size,
  scale: Scale,
): { shape: Shape; area: number; bbox: Bbox } {
  if (shape === null && !isbbox) return { shape, area: 0, bbox: keypointBbox(keypoints ?? []) };
  if (shape === null) {
    const box = scaleBbox(bbox, scale);
    return { shape, area: measured([[boxRing(box)]], to).area, bbox: box };
  }
  if (Array.isArray(shape)) {
    const polygons = shape.map((ring) => scaleRing(ring, scale));
    const rings = polygons.map((ring) => [ring]);
    return { shape: polygons, ...measured(rings, to) };
  }
  const rings = scaleRings(isRle(shape) ? tracedRings(shape) : shape.rings, scale);
  return { shape: { rings }, ...measured(rings, to) };
}

function measured(rings: Rings, { width, height }: Size): { area: number; bbox: Bbox } {
  const coordinates = rings.reduce((sum, polygon) => polygon.reduce((n, ring) => n + ring.length, sum), 0);
  if (coordinates > MAX_COORDINATES) throw tooLong();
  const found = measuredShape({ rings, width, height });
  if ("problem" in found) throw badRequest(found.problem);
  return found;
}

function tracedRings(rle: Rle): Rings {
  const rings = traced(rle);
  if (!rings) throw tooLong();
  return rings;
}

const tooLong = () =>
  badRequest(
    `The outline of a mask has more than ${MAX_COORDINATES} coordinates and cannot be scaled. Choose categories without it.`,
  );
