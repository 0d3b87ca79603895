import { t } from "@lingui/core/macro";
import { z } from "zod";
import { boxRing } from "../../../shared/coco/measure";
import { MAX_COORDINATES } from "../../../shared/constants";
import type { AnnotationChange } from "../../../shared/edits/edit";
import type { Bbox, Rings, Rle } from "../../../shared/entities/shape";
import { bbox, rle } from "../../../shared/entities/shape";
import { isRectangle } from "../../../shared/geometry/polygons";
import { openRing, signedArea } from "../../../shared/geometry/ring";
import { type Scale, scaleBetween, scaleRings } from "../../../shared/geometry/scale";
import { foldName } from "../../../shared/text/fold";
import type { SceneCategory } from "../document/document";

/**
 * Parser for the response of a program that annotates images: `{coco: {images, categories, annotations}}`. The response
 * comes from outside and is not trusted: invalid annotations are left out and counted.
 */

interface Size {
  width: number;
  height: number;
}

export interface ResponseContext {
  image: Size;
  categories: readonly SceneCategory[];
  /** Metadata for every annotation. */
  metadata: AnnotationChange["metadata"];
  /** Returns the outline of a mask. Rejects if the mask is malformed. */
  trace: (rle: Rle) => Promise<Rings>;
  signal?: AbortSignal;
}

export interface ResponseAnnotations {
  annotations: (AnnotationChange & { category_id: number })[];
  /** Number of annotations that were left out, by reason. */
  leftOut: ReadonlyMap<string, number>;
}

export const MAX_ANNOTATIONS = 10_000;
/** Time after which the loop yields to the page, in milliseconds. */
const BUSY_MS = 8;

const idSchema = z.union([z.number(), z.string().max(200)]);
const side = z.number().min(1).max(100_000);
const responseSchema = z.object({
  coco: z.object({
    images: z.array(z.unknown()).nullish(),
    categories: z.array(z.unknown()),
    annotations: z.array(z.unknown()),
  }),
});
const namedCategory = z.object({ id: idSchema, name: z.string().max(1000) });
const sized = z.object({ width: side, height: side });
const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]).nullish();
const annotationSchema = z.object({
  category_id: idSchema,
  segmentation: z.union([z.array(z.array(z.number())), rle]).nullish(),
  keypoints: z.array(z.number()).max(3000).nullish(),
  bbox: bbox.nullish(),
  isbbox: flag,
});
type ResponseAnnotation = z.infer<typeof annotationSchema>;

/** Thrown if the response as a whole is not COCO data. */
export class AnnotateResponseError extends Error {
  override name = "AnnotateResponseError";
}

/** Thrown for an annotation that cannot be used; the message is the reason. */
class Unusable extends Error {}

/**
 * Parses a response. Throws an AnnotateResponseError if it is not COCO data, and the signal's reason if it is aborted.
 */
export async function readAnnotateResponse(given: unknown, context: ResponseContext): Promise<ResponseAnnotations> {
  const { data } = responseSchema.safeParse(given);
  if (!data) throw new AnnotateResponseError(t`The response has no "coco" with lists of categories and annotations.`);
  const { images, categories, annotations: items } = data.coco;
  const match = matcher(categories, context.categories);
  const scale = scaleOf(images?.[0], context.image);
  const annotations: ResponseAnnotations["annotations"] = [];
  const leftOut = new Map<string, number>();
  const leaveOut = (reason: string, count = 1) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + count);
  const yieldIfBusy = makeYield();
  for (const value of items.slice(0, MAX_ANNOTATIONS)) {
    await yieldIfBusy();
    try {
      annotations.push(await readAnnotation(value, match, scale, context));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      leaveOut(error.message);
    }
    context.signal?.throwIfAborted();
  }
  if (items.length > MAX_ANNOTATIONS) leaveOut(t`beyond the first ${MAX_ANNOTATIONS}`, items.length - MAX_ANNOTATIONS);
  return { annotations, leftOut };
}

/** Returns a function that yields to the page if the last yield was more than a few milliseconds ago. */
function makeYield(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < BUSY_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    start = performance.now();
  };
}

type Match = (id: z.infer<typeof idSchema>) => SceneCategory;

/**
 * Returns a function that finds the dataset's category for a category id of the response, by name. The function throws
 * Unusable if there is none.
 */
function matcher(given: readonly unknown[], ours: readonly SceneCategory[]): Match {
  const byName = new Map(ours.map((category) => [normalized(category.name), category]));
  const names = new Map<string, string>();
  for (const value of given) {
    const { data } = namedCategory.safeParse(value);
    if (data) names.set(String(data.id), data.name);
  }
  return (id) => {
    const name = names.get(String(id));
    const category = name === undefined ? undefined : byName.get(normalized(name));
    if (category) return category;
    throw new Unusable(
      name === undefined ? t`of unknown categories` : t`of the unknown category "${{ name: name.slice(0, 40) }}"`,
    );
  };
}

const normalized = (name: string): string => foldName(name.trim());

/** Returns the scale from the response's image, which may be a smaller copy, to the open image. */
function scaleOf(value: unknown, image: Size): Scale {
  const { data } = sized.safeParse(value);
  return scaleBetween(data ?? image, image);
}

async function readAnnotation(value: unknown, match: Match, scale: Scale, context: ResponseContext) {
  const { data } = annotationSchema.safeParse(value);
  if (!data) throw new Unusable("malformed");
  const category = match(data.category_id);
  const rings = clampRings(await outlineOf(data, scale, context), context.image);
  const keypoints = keypointsOf(data, category, scale, context.image);
  if (rings.length === 0 && keypoints.length === 0) throw new Unusable(t`without an outline or keypoints in the image`);
  return {
    category_id: category.id,
    rings,
    isbbox: Boolean(data.isbbox ?? isBoxAlone(data)) && isRectangle(rings),
    keypoints: keypoints.length > 0 ? keypoints : null,
    metadata: { ...context.metadata },
  };
}

/**
 * Returns the outline in pixels of the open image: polygons, the traced mask, or the bounding box if there is nothing
 * else.
 */
async function outlineOf(data: ResponseAnnotation, scale: Scale, { image, trace }: ResponseContext): Promise<Rings> {
  const { segmentation } = data;
  if (Array.isArray(segmentation) && segmentation.length > 0)
    return scaleRings(
      segmentation.map((ring) => [ring]),
      scale,
    );
  if (segmentation && !Array.isArray(segmentation)) {
    const [height, width] = segmentation.size;
    const outline = await trace(segmentation).catch(() => {
      throw new Unusable(t`with a malformed mask`);
    });
    return scaleRings(outline, scaleBetween({ width, height }, image));
  }
  return isBoxAlone(data) ? scaleRings([[boxRing(data.bbox as Bbox)]], scale) : [];
}

function isBoxAlone({ segmentation, keypoints, bbox }: ResponseAnnotation): boolean {
  const hasShape = Array.isArray(segmentation) ? segmentation.length > 0 : Boolean(segmentation);
  return !hasShape && !keypoints?.length && bbox != null && bbox[2] > 0 && bbox[3] > 0;
}

/** Moves every point into the image. Drops rings that then have no area, and the holes of dropped outer rings. */
function clampRings(rings: Rings, { width, height }: Size): Rings {
  const count = rings.reduce((sum, polygon) => sum + polygon.reduce((n, ring) => n + ring.length, 0), 0);
  if (count > MAX_COORDINATES) throw new Unusable(t`with too many points`);
  return rings
    .map((polygon) => {
      const inside = polygon.map((ring) =>
        openRing(ring.map((value, i) => clamp(value, i % 2 === 0 ? width : height))),
      );
      const [outer, ...holes] = inside.map((ring) => (isRing(ring) ? ring : []));
      return outer?.length ? [outer, ...holes.filter((hole) => hole.length > 0)] : [];
    })
    .filter((polygon) => polygon.length > 0);
}

const isRing = (ring: readonly number[]): boolean => ring.length >= 6 && Math.abs(signedArea([...ring])) > 0;

/**
 * Returns the keypoints, matched to the category's labels by order. Drops extra keypoints and those with an invalid
 * visibility.
 */
function keypointsOf(
  { keypoints }: ResponseAnnotation,
  category: SceneCategory,
  scale: Scale,
  { width, height }: Size,
) {
  return category.keypoint_label_ids.flatMap((label, index) => {
    const [x, y, v] = (keypoints ?? []).slice(3 * index, 3 * index + 3);
    if (x === undefined || y === undefined || v === undefined) return [];
    if (![0, 1, 2, 3].includes(v) || (x === 0 && y === 0 && v === 0)) return [];
    return [{ label, x: clamp(x * scale.x, width), y: clamp(y * scale.y, height), v }];
  });
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);
