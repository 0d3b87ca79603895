import { boxRing, keypointBbox } from "../../../../shared/coco/measure";
import {
  isTurn,
  type Turn,
  turnBbox,
  turnKeypoints,
  turnShape,
  turnSize,
  turnTriples,
} from "../../../../shared/coco/turn";
import { MAX_COORDINATES } from "../../../../shared/constants";
import type { Size } from "../../../../shared/entities/image";
import type { Json } from "../../../../shared/entities/scalars";
import type { Bbox, Rings, Rle, Shape } from "../../../../shared/entities/shape";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";
import { HttpError } from "../../../base/errors";
import type { AnnotationRow } from "../../../db/schema";
import { Unusable } from "../../imports/read/readItem";
import { readRle } from "../../imports/read/readShape";
import { measured, withMeasuring } from "../../measuring/measuring";
import { turnMask } from "../../measuring/turnMask";
import { type Doc, flagOf, jsonOf, listOf, numberOf } from "../dump/values";
import { millisecondsOf, type OldEvent, readEvents } from "./events";
import { colorOf, metadataOf, type Note } from "./fields";
import { readKeypoints } from "./keypoints";
import { paperShape } from "./paperRings";
import { readSegmentation } from "./segmentation";
import { thinned } from "./thin";

/** The image of an annotation. */
export interface ImageOfAnnotation extends Size {
  id: number;
  /** EXIF orientation of the file. Width and height are those of the upright image. */
  orientation: number;
  /** Size that the old database had for the image; undefined if it had none. */
  old: Size | undefined;
  /** True if what was drawn on it follows the orientation already. */
  isUpright: boolean;
}

/** The category of an annotation. `labels`: Limn's label ids in the order of the old labels. */
export interface CategoryOfAnnotation {
  id: number;
  color: string;
  labels: readonly (number | undefined)[];
}

export type OldAnnotation = Pick<
  AnnotationRow,
  | "shape"
  | "area"
  | "bbox"
  | "iscrowd"
  | "isbbox"
  | "color"
  | "metadata"
  | "keypoints"
  | "attributes"
  | "extra"
  | "milliseconds"
> & { events: OldEvent[]; holes: number };

/** Name to which the time for measuring is charged. */
const REQUESTER = "migration";

/**
 * Reads an annotation. Its shape comes from `paper_object`, which is what users saw and the only place that has holes;
 * else from `segmentation`; else from `bbox`. Keeps everything that can be kept, and notes the rest.
 */
export async function readAnnotation(
  doc: Doc,
  image: ImageOfAnnotation,
  category: CategoryOfAnnotation,
  note: Note,
): Promise<OldAnnotation> {
  const size = sizeOf(doc, image);
  const turn = turnOf(image);
  const found = await readShape(doc, size, note);
  const turned = await turnedShape(found.shape, turn, size, note);
  const points = readKeypoints(doc.keypoints, category.labels, note);
  const given = bboxOf(doc.bbox);
  const bbox = given && turn ? turnBbox(turn, given, size) : given;
  const hasPoints = points !== null && points.points.length + points.extra.length > 0;
  const isBox = turned === null && bbox !== undefined && (flagOf(doc.isbbox) || !hasPoints);
  const keypoints = points && (turn ? turnKeypoints(turn, points.points, size) : points.points);
  const extra = points && (turn ? turnTriples(turn, points.extra, size) : points.extra);
  const { events, unreadable } = readEvents(doc);
  if (unreadable > 0) note("has sessions of work without a time, which were left out");
  const area = areaOf(doc.area);
  const isMeasured = area <= 0 || (!isBox && (found.isChanged || turn !== null || bbox === undefined));
  const own = { area, bbox: bbox ?? keypointBbox(keypoints ?? []) };
  const shapeToMeasure = turned ?? (isBox ? { rings: [[boxRing(bbox)]] } : null);
  const measures = shapeToMeasure && isMeasured ? await measure(shapeToMeasure, image, own, note) : own;
  const row = {
    shape: turned,
    area: measures.area,
    bbox: isBox ? bbox : measures.bbox,
    iscrowd: flagOf(doc.iscrowd),
    isbbox: isBox || (turned !== null && flagOf(doc.isbbox)),
    color: colorOf(doc.color) ?? category.color,
    metadata: metadataOf(doc.metadata, note),
    attributes: null,
    keypoints: hasPoints ? keypoints : null,
    extra: extra && extra.length > 0 ? { [EXTRA_KEYPOINTS_KEY]: extra as Json } : null,
    milliseconds: millisecondsOf(doc, events),
  };
  return { ...row, events, holes: holesOf(turned) };
}

/** Largest area that is kept: far more than an image has, and small enough for exact sums. */
const MAX_AREA = 1e15;

/** Returns a stored area; 0 if it must be measured. */
function areaOf(value: unknown): number {
  const area = numberOf(value) ?? 0;
  return area > 0 && area <= MAX_AREA ? area : 0;
}

/** Returns the size of the image that the coordinates were made for. */
function sizeOf(doc: Doc, image: ImageOfAnnotation): Size {
  const [width, height] = [numberOf(doc.width), numberOf(doc.height)];
  if (width !== undefined && height !== undefined && width > 0 && height > 0) return { width, height };
  const turn = turnOf(image);
  return image.old ?? (turn ? turnSize(turn, image) : image);
}

const turnOf = ({ orientation, isUpright }: ImageOfAnnotation): Turn | null =>
  !isUpright && isTurn(orientation) ? orientation : null;

interface Found {
  shape: Shape;
  /** True unless the stored area and box are those of this shape. */
  isChanged: boolean;
}

async function readShape(doc: Doc, size: Size, note: Note): Promise<Found> {
  const segmentation = readSegmentation(doc.segmentation);
  const drawn = drawnShape(doc, size, note);
  if (drawn) {
    if (segmentation && "rings" in segmentation && differ(drawn, segmentation.rings))
      note("has a paper_object and a segmentation that differ: the paper_object was used, as in the annotator");
    return { shape: limited(drawn, note), isChanged: true };
  }
  if (!segmentation) {
    if (listOf(doc.segmentation).length > 0) note("has a segmentation without a usable polygon, which was left out");
    return { shape: null, isChanged: true };
  }
  if ("mask" in segmentation) return { shape: await readMask(segmentation.mask, size, note), isChanged: true };
  if (segmentation.isChanged) note("has a segmentation with unusable points or polygons, which were left out");
  const polygons = segmentation.rings.map((ring) => [ring]);
  const rings = limited(polygons, note);
  const isChanged = segmentation.isChanged || rings.rings !== polygons;
  return { shape: rings.rings.map(([ring]) => ring!), isChanged };
}

/** Returns the polygons of the paper_object; undefined if it has none. */
function drawnShape(doc: Doc, { width, height }: Size, note: Note): Rings | undefined {
  const value = doc.paper_object;
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  const paper = paperShape(jsonOf(value), width, height);
  if (!paper) {
    note("has a paper_object that cannot be read: its segmentation was used");
    return undefined;
  }
  if (paper.isPartial) note("has parts of its paper_object that enclose nothing or are not paths, which were left out");
  return paper.rings.length > 0 ? paper.rings : undefined;
}

/** Returns true if the outlines lie at clearly different places. */
function differ(drawn: Rings, flat: readonly number[][]): boolean {
  const [a, b] = [ringsBounds(drawn), ringsBounds(flat.map((ring) => [ring]))];
  const count = drawn.reduce((sum, polygon) => sum + polygon.length, 0);
  return count !== flat.length || a.some((value, i) => Math.abs(value - b[i]!) > 2);
}

function limited(rings: Rings, note: Note): { rings: Rings } {
  const thin = thinned(rings, MAX_COORDINATES);
  if (thin !== rings)
    note(`has more than ${MAX_COORDINATES} coordinates: points that are close together were left out`);
  return { rings: thin };
}

async function readMask(mask: { size: number[]; counts: unknown }, size: Size, note: Note): Promise<Rle | null> {
  try {
    return await withMeasuring(REQUESTER, () => readRle(mask, size));
  } catch (error) {
    if (!(error instanceof Unusable) && !(error instanceof HttpError)) throw error;
    note(`has a mask that cannot be used: ${error.message}`);
    return null;
  }
}

async function turnedShape(shape: Shape, turn: Turn | null, size: Size, note: Note): Promise<Shape> {
  if (shape === null || turn === null) return shape;
  note("is on an image with an EXIF orientation, and was turned with it");
  const isMask = !Array.isArray(shape) && "counts" in shape;
  if (!isMask) return turnShape(turn, shape, size);
  return turnMask(REQUESTER, { turn, rle: shape, size }, new AbortController().signal);
}

/** Reads a box with an area. */
function bboxOf(value: unknown): Bbox | undefined {
  const list = listOf(value).map(numberOf);
  const [x, y, width, height] = list;
  const isBox = list.length === 4 && list.every((number) => number !== undefined && Math.abs(number) <= 1e7);
  return isBox && width! > 0 && height! > 0 ? [x!, y!, width!, height!] : undefined;
}

type Measures = Pick<OldAnnotation, "area" | "bbox">;

/** Measures a shape. Returns the old measures, or the box around it, if that takes too long. */
async function measure(
  shape: Exclude<Shape, null>,
  { width, height }: Size,
  own: Measures,
  note: Note,
): Promise<Measures> {
  const rings = Array.isArray(shape) ? shape.map((ring) => [ring]) : "rings" in shape ? shape.rings : undefined;
  try {
    const found = await withMeasuring(REQUESTER, () =>
      measured(rings ? { rings, width, height } : { rle: shape as Rle }),
    );
    if (!("problem" in found)) return found;
  } catch (error) {
    const isTooHeavy = error instanceof HttpError || (error instanceof Error && error.name === "TimeoutError");
    if (!isTooHeavy) throw error;
  }
  note("has an outline that cannot be measured: its old area was kept");
  return rings ? { ...own, bbox: ringsBounds(rings) } : own;
}

const holesOf = (shape: Shape): number =>
  shape && "rings" in shape ? shape.rings.reduce((sum, polygon) => sum + polygon.length - 1, 0) : 0;
