import { same } from "../../../../shared/edits/same";
import type { Json } from "../../../../shared/entities/scalars";
import type { Bbox, Rle, Shape } from "../../../../shared/entities/shape";
import type { AnnotationRow } from "../../../db/schema";
import { isRle, measured, sameShape, sentRings } from "../../annotations/rows/annotationRow";
import type { RawShape, ServerAnnotationEdit } from "../../annotations/rows/serverEdit";
import { measured as measuredShape } from "../../measuring/measuring";
import { Refusal } from "./plan";
import type { AnnotationState, ImageState } from "./snapshot";

/**
 * Returns true if an edit changes the stored shape. Polygons are compared with the polygons that the server would send.
 */
export function changesShape(edit: ServerAnnotationEdit, row: AnnotationRow): boolean {
  const { after, rawShape } = edit;
  const isbbox = after.isbbox ?? row.isbbox;
  if (rawShape) return !isSameRawShape(rawShape, isbbox, row);
  if (after.rings === undefined && after.isbbox === undefined) return false;
  return !sameShape(row, ringsAfter(edit, row), isbbox);
}

/** Returns true if a raw shape equals the stored one. The box is compared only if it is the shape itself. */
function isSameRawShape({ shape, bbox, iscrowd }: RawShape, isbbox: boolean, row: AnnotationRow): boolean {
  const isSameBox = shape !== null || !isbbox || same(bbox, row.bbox);
  return same(shape, row.shape) && isSameBox && isbbox === row.isbbox && iscrowd === row.iscrowd;
}

/** Returns the polygons after an edit; null for a mask. `rings: null` keeps a stored shape that has no polygons. */
function ringsAfter({ after }: ServerAnnotationEdit, row: AnnotationRow) {
  const stays = after.rings === undefined || (after.rings === null && (row.shape === null || isRle(row.shape)));
  return stays ? sentRings(row) : (after.rings ?? null);
}

/** Returns the shape of a stored annotation after an edit, and its `isbbox`. Throws Refusal. */
export function shapeAfter(edit: ServerAnnotationEdit, state: AnnotationState, image: ImageState) {
  const parts = partsAfter(edit, state, image);
  return { ...parts, isbbox: (edit.after.isbbox ?? state.row.isbbox) && isDrawn(edit, parts) };
}

function partsAfter(edit: ServerAnnotationEdit, state: AnnotationState, image: ImageState) {
  const { row } = state;
  if (edit.rawShape) return edit.rawShape;
  const rings = ringsAfter(edit, row);
  const { keypoints = row.keypoints } = edit.after;
  if (rings) return measure(rings, keypoints, image);
  if (!state.originalMask) throw new Refusal("The earlier mask is no longer available.");
  return { shape: state.originalMask, ...measureMask(state.originalMask) };
}

/** Returns area and box of a mask, computed as in the reference COCO mask code. Throws Refusal. */
function measureMask(rle: Rle): { area: number; bbox: Bbox } {
  const found = measuredShape({ rle });
  if ("problem" in found) throw new Refusal(`${found.problem}.`);
  return found;
}

/** Returns the shape of a new annotation, and its `isbbox`. Throws Refusal. */
export function shapeOfNew(edit: ServerAnnotationEdit, image: ImageState, keypoints: AnnotationRow["keypoints"]) {
  const parts = edit.rawShape ?? measure(edit.after.rings ?? [], keypoints, image);
  return { ...parts, isbbox: (edit.after.isbbox ?? false) && isDrawn(edit, parts) };
}

/**
 * Returns true if the annotation has an outline, or a posted box with an area. So an erased outline never counts as a
 * box.
 */
const isDrawn = ({ rawShape }: ServerAnnotationEdit, { shape, bbox }: { shape: Shape; bbox: Bbox }): boolean =>
  shape !== null || (rawShape !== undefined && bbox[2] > 0 && bbox[3] > 0);

function measure(...parts: Parameters<typeof measured>) {
  try {
    return measured(...parts);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(`${error.message}.`);
    throw error;
  }
}

/** Returns a shape in the form used by the history and the catch-up call. */
export function historyShape(row: AnnotationRow): { [key: string]: Json } {
  return {
    rings: sentRings(row),
    isbbox: row.isbbox,
    iscrowd: row.iscrowd,
    area: row.area,
    bbox: row.bbox,
    ...(isRle(row.shape) && { rle: { ...row.shape } as Json }),
  };
}
