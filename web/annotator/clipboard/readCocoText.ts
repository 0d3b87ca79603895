import { t } from "@lingui/core/macro";
import { z } from "zod";
import { boxRing } from "../../../shared/coco/measure";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { color, metadata } from "../../../shared/entities/scalars";
import { bbox, flatPolygons, type Rings, rings, rle } from "../../../shared/entities/shape";
import { isRectangle } from "../../../shared/geometry/polygons";
import { foldName } from "../../../shared/text/fold";
import type { SceneCategory } from "../document/document";

/** An annotation that can be added to the image. */
export type PastedAnnotation = AnnotationChange & { category_id: number; rings: Rings };

interface Pasted {
  annotations: PastedAnnotation[];
  /** Number of annotations that were left out, by reason. */
  leftOut: ReadonlyMap<string, number>;
}

/** Maximum length of a text, in characters, and maximum number of annotations read from it. */
const MAX_TEXT = 64_000_000;
const MAX_ANNOTATIONS = 10_000;

const idSchema = z.union([z.number(), z.string().max(200)]);
const documentSchema = z.object({ categories: z.array(z.unknown()), annotations: z.array(z.unknown()) });
const categorySchema = z.object({
  id: idSchema,
  name: z.string().max(1000),
  keypoints: z.array(z.string().max(1000)).max(1000).nullish(),
});
const annotationSchema = z.object({
  category_id: idSchema,
  segmentation: z.union([flatPolygons, rle]).nullish(),
  rings: rings.nullish(),
  bbox: bbox.nullish(),
  keypoints: z.array(z.number().min(-1e7).max(1e7)).max(3000).nullish(),
  isbbox: z.union([z.boolean(), z.literal(0), z.literal(1)]).nullish(),
  color: color.optional(),
  metadata: metadata.optional(),
  attributes: metadata.optional(),
});
type CocoAnnotation = z.infer<typeof annotationSchema>;

/** Thrown for an annotation that cannot be pasted; the message is the reason. */
class Unusable extends Error {}

/** Its message is the category's name. */
class UnknownCategory extends Error {}

/** Number of unknown categories whose names are shown. */
const MAX_NAMES = 3;

/** Returns the reason why annotations of these categories were left out. */
function unknownText(all: readonly string[]): string {
  const distinct = [...new Set(all)];
  if (distinct.length === 1) return t`of the unknown category "${{ name: distinct[0]! }}"`;
  const shown = distinct.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  const names = [...shown, ...(distinct.length > MAX_NAMES ? ["…"] : [])].join(", ");
  return t`of unknown categories: ${names}`;
}

/**
 * Reads annotations from the text of a COCO document, which may come from any program and is not trusted. Returns null
 * if the text is not such a document. `categories`: those of the dataset, which are matched by name.
 */
export function readCocoText(text: string, categories: readonly SceneCategory[]): Pasted | null {
  const given = text.length <= MAX_TEXT ? parseJson(text) : null;
  const { data } = documentSchema.safeParse(given);
  if (!data) return null;
  const matches = matchesOf(data.categories, categories);
  const annotations: PastedAnnotation[] = [];
  const leftOut = new Map<string, number>();
  const leaveOut = (reason: string, count = 1) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + count);
  const unknown: string[] = [];
  for (const item of data.annotations.slice(0, MAX_ANNOTATIONS)) {
    try {
      annotations.push(readAnnotation(item, matches));
    } catch (error) {
      if (error instanceof UnknownCategory) unknown.push(error.message);
      else if (error instanceof Unusable) leaveOut(error.message);
      else throw error;
    }
  }
  const surplus = data.annotations.length - MAX_ANNOTATIONS;
  if (surplus > 0) leaveOut(t`beyond the first ${MAX_ANNOTATIONS}`, surplus);
  const named = unknown.length > 0 ? [[unknownText(unknown), unknown.length] as const] : [];
  return { annotations, leftOut: new Map([...named, ...leftOut]) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A category of the text, with the dataset's category of the same name. */
interface Match {
  name: string;
  /** Names of the keypoint labels in the order of the triples. */
  labels: readonly string[];
  category: SceneCategory | undefined;
}

/**
 * Returns the categories of the text by id, matched by name: exactly, otherwise without regard to case and surrounding
 * spaces.
 */
function matchesOf(given: readonly unknown[], ours: readonly SceneCategory[]): Map<string, Match> {
  const exact = new Map(ours.map((category) => [category.name, category]));
  const similar = new Map(ours.map((category) => [foldName(category.name.trim()), category]));
  return new Map(
    given.flatMap((item) => {
      const { data } = categorySchema.safeParse(item);
      if (!data) return [];
      const { id, name, keypoints } = data;
      const category = exact.get(name) ?? similar.get(foldName(name.trim()));
      return [[String(id), { name, labels: keypoints ?? [], category }]];
    }),
  );
}

function readAnnotation(item: unknown, matches: ReadonlyMap<string, Match>): PastedAnnotation {
  const { data } = annotationSchema.safeParse(item);
  if (!data) throw new Unusable(t`malformed`);
  const match = matches.get(String(data.category_id));
  if (!match) throw new Unusable(t`of unknown categories`);
  if (!match.category) throw new UnknownCategory(match.name);
  const shape = shapeOf(data);
  const keypoints = keypointsOf(data.keypoints ?? [], match.labels, match.category);
  if (shape.length === 0 && keypoints.length === 0) throw new Unusable(t`without a shape or keypoints`);
  const isBoxAlone = !data.isbbox && !data.rings?.length && !segmentationOf(data).length;
  return {
    category_id: match.category.id,
    rings: shape,
    isbbox: (Boolean(data.isbbox) || isBoxAlone) && isRectangle(shape),
    keypoints: keypoints.length > 0 ? keypoints : null,
    ...(data.color && { color: data.color }),
    metadata: data.metadata ?? {},
    attributes: data.attributes ?? {},
  };
}

/** Returns the polygons in image pixels: from `rings`, otherwise from `segmentation`, otherwise from `bbox`. */
function shapeOf(data: CocoAnnotation): Rings {
  if (data.segmentation && !Array.isArray(data.segmentation)) throw new Unusable(t`with a mask instead of an outline`);
  const given = data.rings?.length ? data.rings : segmentationOf(data).map((ring) => [ring]);
  if (given.some((polygon) => polygon.some((ring) => ring.length < 6))) throw new Unusable(t`malformed`);
  if (given.length > 0 || data.keypoints?.length || !data.bbox) return given;
  return data.bbox[2] > 0 && data.bbox[3] > 0 ? [[boxRing(data.bbox)]] : [];
}

const segmentationOf = ({ segmentation }: CocoAnnotation): number[][] =>
  Array.isArray(segmentation) ? segmentation : [];

/** Returns the keypoints whose label names the dataset's category also has. */
function keypointsOf(flat: readonly number[], labels: readonly string[], category: SceneCategory) {
  if (flat.length % 3 !== 0 || flat.some((value, i) => i % 3 === 2 && ![0, 1, 2, 3].includes(value)))
    throw new Unusable(t`malformed`);
  return labels.flatMap((name, index) => {
    const label = category.keypoint_label_ids[category.keypoint_labels.indexOf(name)];
    const [x, y, v] = flat.slice(3 * index, 3 * index + 3);
    return label === undefined || x === undefined || y === undefined || !v ? [] : [{ label, x, y, v }];
  });
}
