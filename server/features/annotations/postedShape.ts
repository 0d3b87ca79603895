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
import { sentRings, shownRings } from "./rows/annotationRow";
import type { RawShape } from "./rows/serverEdit";

type Body = Omit<z.output<(typeof createAnnotation)["body"]>, "image_id" | "category_id">;
type Size = Pick<ImageRow, "width" | "height">;
type Parts = Pick<Body, "rings" | "segmentation" | "bbox">;

/** The field "shape" of a single call's body: as polygons (null for a mask), and as it is to be stored. */
export interface PostedShape {
  rings: Rings | null;
  isbbox: boolean;
  rawShape: RawShape;
}

/**
 * The shape that a body gives, in image pixels: `rings`, else `segmentation` in the form it came, else the rectangle of
 * `bbox`; undefined when it says nothing of a shape. What it says as GET shows it of `stored` counts as not said. Area and
 * box are those of the reference COCO mask code, except the box of a rectangle, which is as posted. Throws 400, and
 * NeedsMeasuring on a heavy shape that was not measured before.
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
 * Returns the part of a posted shape that differs from what GET returns of the stored one. Whoever sends an annotation back sends all its
 * forms: only the one that differs is meant. The box beside an outline follows from it, and is not looked at.
 */
function changedParts(body: Body, stored: AnnotationRow): Parts {
  const { rings, segmentation, bbox } = body;
  const shown = shownRings(stored);
  const isSegmentationShown = same(segmentation, flatRings(shown)) || same(segmentation, stored.shape);
  const isBoxMeant = bbox && (isBoxAlone(stored) || !hasOutline(body));
  return {
    rings: same(rings, shown) ? null : rings,
    segmentation: isSegmentationShown || (bbox && isEmptyList(segmentation)) ? null : segmentation,
    bbox: isBoxMeant && (!same(bbox, stored.bbox) || isBoxForOutline(body, stored)) ? bbox : null,
  };
}

const isBoxAlone = ({ shape, isbbox }: AnnotationRow): boolean => shape === null && isbbox;

/** Also a list of empty rings draws nothing. */
const isEmptyList = (value: Parts["segmentation"]): boolean =>
  Array.isArray(value) && value.every((ring) => ring.length === 0);

const hasOutline = ({ rings, segmentation }: Parts): boolean =>
  Boolean(rings || (segmentation && !isEmptyList(segmentation)));

/** True if the stored outline's box takes its place: the body says that there is no outline. */
const isBoxForOutline = (body: Body, stored: AnnotationRow): boolean =>
  stored.shape !== null && (isEmptyList(body.segmentation) || (body.isbbox === true && !stored.isbbox));

function ofRings(rings: Rings, size: Size, isbbox: boolean, iscrowd: boolean): PostedShape {
  const checked = requireRings(rings, "rings")
    .filter(([outer]) => outer?.length)
    .map((polygon) => polygon.filter((ring) => ring.length > 0));
  const shape = checked.length > 0 ? { rings: checked } : null;
  return { rings: checked, isbbox, rawShape: { shape, ...measured(checked, size), iscrowd } };
}

/** Each list is a polygon of its own, as COCO has it. */
function ofPolygons(polygons: Ring[], size: Size, isbbox: boolean, iscrowd: boolean): PostedShape {
  const drawn = polygons.filter((ring) => ring.length > 0);
  const rings = drawn.map((ring) => [ring]);
  const shape = drawn.length > 0 ? drawn : null;
  return { rings, isbbox, rawShape: { shape, ...measured(rings, size), iscrowd } };
}

function ofMask(rle: Rle, { width, height }: Size, iscrowd: boolean): PostedShape {
  if (rle.size[0] !== height || rle.size[1] !== width)
    throw invalid("segmentation", `The mask's size is not that of the image: [${height}, ${width}]`);
  return { rings: null, isbbox: false, rawShape: { shape: rle, ...requireMeasured({ rle }), iscrowd } };
}

function ofBox(bbox: Bbox, size: Size, iscrowd: boolean): PostedShape {
  const [, , width, height] = bbox;
  if (bbox.every((value) => value === 0)) return ofRings([], size, false, iscrowd);
  if (width === 0 || height === 0) throw invalid("bbox", "A box has a width and a height");
  const rings = requireRings([[boxRing(bbox)]], "bbox");
  return { rings, isbbox: true, rawShape: { shape: null, area: measured(rings, size).area, bbox, iscrowd } };
}

function requireRings(rings: Rings, field: string): Rings {
  const { data, error } = ringsSchema.safeParse(rings);
  if (error) throw invalid(field, error.issues[0]?.message ?? "Invalid shape");
  return data;
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
