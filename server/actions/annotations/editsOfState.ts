import { randomUUID } from "node:crypto";
import { shapeRings } from "../../../shared/coco/measure";
import type { AnnotationChange, CategoryEdit, ImageEdit } from "../../../shared/edits/edit";
import { snapshot } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Rings } from "../../../shared/entities/shape";
import { fromPaperJson, PaperJsonError, toPaperJson } from "../../../shared/geometry/paperJson";
import { toWire } from "../../../shared/rules/keypointDefinition";
import { oncePerLabel } from "../../../shared/rules/keypointTriples";
import type { AnnotationRow, CategoryRow, ImageRow } from "../../db/schema";
import { badRequest } from "../../errors";
import type { ServerEdit } from "../edits/verbatim";
import { beyondOf } from "./annotationDocument";
import { annotationOf } from "./annotationRow";
import { postedKeypoints } from "./postedKeypoints";
import type { SavedAnnotation, SavedCategory, SavedState } from "./savedState";

/**
 * What a saved state changes of what is stored, as edits on the newest revision. A part equal to what we would send for
 * the stored value is no edit; a part that is left out stays.
 */

/** Older clients write coordinates with one decimal: a shape that comes back so has not been touched. */
const TOUCHED_PX = 0.06;

export function annotationEdit(
  saved: SavedAnnotation,
  row: AnnotationRow,
  image: ImageRow,
  category: CategoryRow,
): ServerEdit | undefined {
  const points = saved.keypoints ? changedKeypoints(saved.keypoints, row, category) : undefined;
  const rings = changedRings(saved, row, image);
  const after: AnnotationChange = {
    ...(rings && { rings, isbbox: saved.isbbox ?? row.isbbox }),
    ...(saved.isbbox != null && saved.isbbox !== row.isbbox && { isbbox: saved.isbbox }),
    ...(saved.color && saved.color !== row.color && { color: saved.color }),
    ...(saved.metadata && !same(saved.metadata, row.metadata) && { metadata: saved.metadata }),
    ...(points && { keypoints: points.keypoints }),
  };
  if (Object.keys(after).length === 0) return undefined;
  return {
    uuid: randomUUID(),
    subject: "annotation",
    action: "modify",
    target: row.uuid,
    image_id: image.id,
    base: row.revision,
    before: snapshot(annotationOf(row)),
    after,
    beyond: points?.beyond,
  };
}

/** The sent polygons, in image pixels, when they are others than those we would send. Throws 400. */
function changedRings(saved: SavedAnnotation, row: AnnotationRow, { width, height }: ImageRow): Rings | undefined {
  const { compoundPath } = saved;
  if (compoundPath == null || (Array.isArray(compoundPath) && compoundPath.length === 0)) return undefined;
  const sent = readPaper(compoundPath, width, height, saved.id);
  const stored = shapeRings(row.shape, row.bbox, row.isbbox);
  if (sent.length === 0) return stored.length === 0 ? undefined : [];
  return areClose(sent, asSent(stored, row, width, height)) ? undefined : sent;
}

/** What comes back when nobody touches what we send. A shape too large for paper.js's JSON never comes back. */
function asSent(rings: Rings, { color }: AnnotationRow, width: number, height: number): Rings {
  try {
    return fromPaperJson(toPaperJson(rings, width, height, { color }), width, height);
  } catch (error) {
    if (error instanceof PaperJsonError) return [];
    throw error;
  }
}

function readPaper(json: unknown, width: number, height: number, id: number): Rings {
  try {
    return fromPaperJson(json, width, height);
  } catch (error) {
    if (!(error instanceof PaperJsonError)) throw error;
    throw badRequest(`The compoundPath of annotation ${id} is not readable: ${error.message}`);
  }
}

function areClose(a: Rings, b: Rings): boolean {
  const [left, right] = [a.flat(), b.flat()];
  return (
    left.length === right.length &&
    left.every((ring, i) => {
      const other = right[i] ?? [];
      return ring.length === other.length && ring.every((value, k) => Math.abs(value - (other[k] ?? 0)) <= TOUCHED_PX);
    })
  );
}

function changedKeypoints(
  flat: readonly number[],
  row: AnnotationRow,
  { keypoints: definition }: CategoryRow,
): { keypoints: Keypoint[]; beyond: number[] } | undefined {
  const { keypoints, beyond } = postedKeypoints(flat, definition, row.keypoints);
  const byLabel = (points: readonly Keypoint[]) => [...points].sort((a, b) => a.label - b.label);
  const unchanged = same(byLabel(keypoints), byLabel(oncePerLabel(row.keypoints ?? []))) && same(beyond, beyondOf(row));
  return unchanged ? undefined : { keypoints, beyond };
}

export function categoryEdit(saved: SavedCategory, row: CategoryRow, imageId: number): CategoryEdit | undefined {
  const live = { color: row.color, ...toWire(row.keypoints) };
  const { color, keypoint_labels, keypoint_edges, keypoint_colors } = saved;
  const given = Object.entries({ color, keypoint_labels, keypoint_edges, keypoint_colors });
  const changed = given.filter(([key, value]) => value != null && !same(value, live[key as keyof typeof live]));
  if (changed.length === 0) return undefined;
  // Edges and colours are told by the places of the labels they came with.
  const keypoints = changed.some(([key]) => key.startsWith("keypoint_"))
    ? given.filter(([key, value]) => key.startsWith("keypoint_") && value != null)
    : [];
  return {
    uuid: randomUUID(),
    subject: "category",
    action: "modify",
    target: row.id,
    image_id: imageId,
    base: row.revision,
    before: live,
    after: Object.fromEntries([...changed, ...keypoints]),
  };
}

/**
 * `annotated`: the categories that have annotations in the picture. They are among the ids that are sent and received,
 * so that of the others alone it can be told whether they are ticked. Only label mode takes a tick away.
 */
export function imageEdit(
  { mode, image: saved }: SavedState,
  image: ImageRow,
  annotated: ReadonlySet<number>,
  usable: ReadonlySet<number>,
): ImageEdit | undefined {
  const after: ImageEdit["after"] = {};
  if (saved.metadata && !same(saved.metadata, image.metadata)) after.metadata = saved.metadata;
  if (saved.category_ids) {
    const received = new Set(saved.category_ids);
    const ticked = [...received].filter((id) => !annotated.has(id) && usable.has(id));
    const kept = image.labels.filter((id) => mode !== "label" || (annotated.has(id) && received.has(id)));
    const labels = [...new Set([...kept, ...ticked])].sort((a, b) => a - b);
    if (
      !same(
        labels,
        [...image.labels].sort((a, b) => a - b),
      )
    )
      after.labels = labels;
  }
  if (Object.keys(after).length === 0) return undefined;
  const before = { labels: image.labels, metadata: image.metadata };
  return {
    uuid: randomUUID(),
    subject: "image",
    action: "modify",
    image_id: image.id,
    base: image.revision,
    before,
    after,
  };
}
