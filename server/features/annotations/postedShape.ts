import type { z } from "zod";
import type { createAnnotation } from "../../../shared/api/annotation";
import { boxRing } from "../../../shared/coco/measure";
import { flatRings } from "../../../shared/coco/segmentation";
import { same } from "../../../shared/edits/same";
import { type Bbox, type Ring, type Rings, type Rle, rings as ringsSchema } from "../../../shared/entities/shape";
import { badRequest } from "../../base/errors";
import type { AnnotationRow, ImageRow } from "../../db/schema";
import { measured as measuredShape } from "../measuring/measuring";
import type { Measurable } from "../measuring/question";
import { traceTogether } from "../measuring/tracing";
import { sentRings, shownRings } from "./rows/annotationRow";
import type { RawShape } from "./rows/serverEdit";

type Body = Omit<z.output<(typeof createAnnotation)["body"]>, "image_id" | "category_id">;
type Size = Pick<ImageRow, "width" | "height">;
type Parts = Pick<Body, "rings" | "segmentation" | "bbox">;

/** The shape in the body of a single annotation call: as polygons (null for a mask) and as it will be stored. */
export interface PostedShape {
  rings: Rings | null;
  isbbox: boolean;
  rawShape: RawShape;
}

/**
 * Returns the shape in a body, in image pixels: `rings`, else `segmentation` in its posted form, else the rectangle of
 * `bbox`; undefined if the body has no shape. Values equal to what GET returns for `stored` are ignored. Area and box
 * are computed as in the reference COCO mask code, except that a rectangle keeps its posted box. Throws 400, and
 * NeedsMeasuring for a heavy shape that has not been measured yet.
 */
export function postedShape(body: Body, size: Size, stored?: AnnotationRow): PostedShape | undefined {
  const { segmentation, rings, bbox } = stored ? changedParts(body, stored) : body;
  const iscrowd = body.iscrowd == null ? (stored?.iscrowd ?? false) : Boolean(body.iscrowd);
  const isbbox = body.isbbox ?? stored?.isbbox ?? false;
  if (rings) return ofRings(rings, size, isbbox, iscrowd);
  if (segmentation && !Array.isArray(segmentation)) return ofMask(segmentation, size, iscrowd);
  if (segmentation && (!isEmptyList(segmentation) || !bbox)) return ofPolygons(segmentation, size, isbbox, iscrowd);
  if (bbox) return ofBox(bbox, size, iscrowd);
  if (!stored || (iscrowd === stored.iscrowd && isbbox === stored.isbbox)) return undefined;
  if (isBoxAlone(stored) && !isbbox) return ofRings([[boxRing(stored.bbox)]], size, isbbox, iscrowd);
  const { shape, area } = stored;
  return { rings: sentRings(stored), isbbox, rawShape: { shape, area, bbox: stored.bbox, iscrowd } };
}

/**
 * Returns the parts of a posted shape that differ from the stored shape as GET returns it. A client that sends an
 * annotation back sends its shape in every form, but only the form that differs was changed. A box next to an outline
 * follows from the outline and is ignored.
 */
function changedParts(body: Body, stored: AnnotationRow): Parts {
  const { rings, segmentation, bbox } = body;
  const shown = shownRings(stored);
  const isSegmentationUnchanged = same(segmentation, flatRings(shown)) || same(segmentation, stored.shape);
  const usesBox = bbox && (isBoxAlone(stored) || !hasOutline(body));
  return {
    rings: same(rings, shown) ? null : rings,
    segmentation: isSegmentationUnchanged || (bbox && isEmptyList(segmentation)) ? null : segmentation,
    bbox: usesBox && (!same(bbox, stored.bbox) || replacesOutlineWithBox(body, stored)) ? bbox : null,
  };
}

const isBoxAlone = ({ shape, isbbox }: AnnotationRow): boolean => shape === null && isbbox;

/** Returns true for an empty list and for a list of empty rings. */
const isEmptyList = (value: Parts["segmentation"]): boolean =>
  Array.isArray(value) && value.every((ring) => ring.length === 0);

const hasOutline = ({ rings, segmentation }: Parts): boolean =>
  Boolean(rings || (segmentation && !isEmptyList(segmentation)));

/**
 * Returns true if the posted box replaces the stored outline: the body empties the segmentation, or turns the
 * annotation into a box.
 */
const replacesOutlineWithBox = (body: Body, stored: AnnotationRow): boolean =>
  stored.shape !== null && (isEmptyList(body.segmentation) || (body.isbbox === true && !stored.isbbox));

function ofRings(rings: Rings, size: Size, isbbox: boolean, iscrowd: boolean): PostedShape {
  const checked = requireRings(rings, "rings")
    .filter(([outer]) => outer?.length)
    .map((polygon) => polygon.filter((ring) => ring.length > 0));
  const shape = checked.length > 0 ? { rings: checked } : null;
  return { rings: checked, isbbox, rawShape: { shape, ...measured(checked, size), iscrowd } };
}

/** Reads COCO polygons: each list is a separate polygon without holes. */
function ofPolygons(polygons: Ring[], size: Size, isbbox: boolean, iscrowd: boolean): PostedShape {
  const drawn = polygons.filter((ring) => ring.length > 0);
  const rings = drawn.map((ring) => [ring]);
  const shape = drawn.length > 0 ? drawn : null;
  return { rings, isbbox, rawShape: { shape, ...measured(rings, size), iscrowd } };
}

function ofMask(rle: Rle, { width, height }: Size, iscrowd: boolean): PostedShape {
  if (rle.size[0] !== height || rle.size[1] !== width)
    throw invalid("segmentation", `The mask's size differs from the image's, [${height}, ${width}]`);
  // The response contains the mask's outline. If a long mask were traced only then, it would be written, rolled back
  // and written again.
  traceTogether([rle]);
  return { rings: null, isbbox: false, rawShape: { shape: rle, ...requireMeasured({ rle }), iscrowd } };
}

function ofBox(bbox: Bbox, size: Size, iscrowd: boolean): PostedShape {
  const [, , width, height] = bbox;
  if (bbox.every((value) => value === 0)) return ofRings([], size, false, iscrowd);
  if (width === 0 || height === 0) throw invalid("bbox", "A box needs a width and a height above 0");
  const rings = requireRings([[boxRing(bbox)]], "bbox");
  return { rings, isbbox: true, rawShape: { shape: null, area: measured(rings, size).area, bbox, iscrowd } };
}

function requireRings(rings: Rings, field: string): Rings {
  const { error } = ringsSchema.safeParse(rings);
  if (error) throw invalid(field, error.issues[0]?.message ?? "Invalid shape");
  return rings;
}

function measured(rings: Rings, { width, height }: Size): { area: number; bbox: Bbox } {
  return requireMeasured({ rings, width, height });
}

function requireMeasured(shape: Measurable): { area: number; bbox: Bbox } {
  const found = measuredShape(shape);
  if ("problem" in found) throw invalid("segmentation", found.problem);
  return found;
}

const invalid = (field: string, message: string) => badRequest(message, { [field]: message });
