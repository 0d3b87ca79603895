import { same } from "../../../../shared/edits/same";
import type { Json } from "../../../../shared/entities/scalars";
import type { Bbox, Rle, Shape } from "../../../../shared/entities/shape";
import type { AnnotationRow } from "../../../db/schema";
import { isRle, measured, sameShape, sentRings } from "../../annotations/rows/annotationRow";
import type { SentAnnotationEdit as Sent, RawShape } from "../../annotations/rows/serverEdit";
import { measured as measuredShape } from "../../measuring/measuring";
import type { AnnotationState, ImageState } from "./snapshot";
import { Refusal } from "./plan";

/** Returns true if an edit wants another shape than the stored one. The shape that we would send is the stored one. */
export function changesShape(edit: Sent, row: AnnotationRow): boolean {
  const { after, rawShape } = edit;
  const isbbox = after.isbbox ?? row.isbbox;
  if (rawShape) return !isStored(rawShape, isbbox, row);
  if (after.rings === undefined && after.isbbox === undefined) return false;
  return !sameShape(row, wantedRings(edit, row), isbbox);
}

/** Without a shape the box is what is drawn; else it follows from the shape. */
function isStored({ shape, bbox, iscrowd }: RawShape, isbbox: boolean, row: AnnotationRow): boolean {
  const isSameBox = shape !== null || !isbbox || same(bbox, row.bbox);
  return same(shape, row.shape) && isSameBox && isbbox === row.isbbox && iscrowd === row.iscrowd;
}

/** Null says that the shape is no polygons: where it is none now, it stays. */
function wantedRings({ after }: Sent, row: AnnotationRow) {
  const stays = after.rings === undefined || (after.rings === null && (row.shape === null || isRle(row.shape)));
  return stays ? sentRings(row) : (after.rings ?? null);
}

/** The shape that an edit gives a stored annotation, and whether that is a box. Throws Refusal. */
export function shapeAfter(edit: Sent, state: AnnotationState, image: ImageState) {
  const parts = partsAfter(edit, state, image);
  return { ...parts, isbbox: (edit.after.isbbox ?? state.row.isbbox) && isDrawn(edit, parts) };
}

function partsAfter(edit: Sent, state: AnnotationState, image: ImageState) {
  const { row } = state;
  if (edit.rawShape) return edit.rawShape;
  const rings = wantedRings(edit, row);
  const { keypoints = row.keypoints } = edit.after;
  if (rings) return measure(rings, keypoints, image);
  if (!state.originalMask) throw new Refusal("The mask that was there before is not known any more.");
  return { shape: state.originalMask, ...measureMask(state.originalMask) };
}

/** Area and box of a mask, as the reference COCO mask code has them. */
function measureMask(rle: Rle): { area: number; bbox: Bbox } {
  const found = measuredShape({ rle });
  if ("problem" in found) throw new Refusal(`${found.problem}.`);
  return found;
}

/** The shape that an edit gives a new annotation, and whether that is a box. Throws Refusal. */
export function shapeOfNew(edit: Sent, image: ImageState, keypoints: AnnotationRow["keypoints"]) {
  const parts = edit.rawShape ?? measure(edit.after.rings ?? [], keypoints, image);
  return { ...parts, isbbox: (edit.after.isbbox ?? false) && isDrawn(edit, parts) };
}

/** Returns true for a box. An erased outline is none, whatever the client says; without an outline only a posted box is one. */
const isDrawn = ({ rawShape }: Sent, { shape, bbox }: { shape: Shape; bbox: Bbox }): boolean =>
  shape !== null || (rawShape !== undefined && bbox[2] > 0 && bbox[3] > 0);

function measure(...parts: Parameters<typeof measured>) {
  try {
    return measured(...parts);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(`${error.message}.`);
    throw error;
  }
}

/** Returns a shape as history and the catch-up call have it. */
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
