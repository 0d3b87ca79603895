import { randomUUID } from "node:crypto";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { creation, fieldsOfAnnotation } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Ring } from "../../../shared/entities/shape";
import { badRequest } from "../../base/errors";
import type { AnnotationRow, CategoryRow, ImageRow } from "../../db/schema";
import { postedKeypoints } from "../annotations/postedKeypoints";
import { shownTriples } from "../annotations/rows/annotationDocument";
import { annotationOf } from "../annotations/rows/annotationRow";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { pathsIn, UnreadablePath } from "../bodies/savedPath";
import type { SavedAnnotation } from "../bodies/savedState";
import { nested, wantedNesting } from "../measuring/nesting";
import type { Wanted } from "../measuring/question";
import type { Held } from "../sentScenes/sentScenes";
import { type SentVersion, versionOf } from "../sentScenes/sentVersions";
import { isReturned, wantedComparisons } from "./comparing";
import { type Merged, mergeMetadata, mergeTriples } from "./mergeFields";

/** One annotation of a save, with the stored rows it belongs to. */
export interface SavedPart {
  saved: SavedAnnotation;
  /** Stored annotation, deleted or not. */
  row: AnnotationRow;
  /** Version that the page received. */
  sent: SentVersion;
  held: Held;
  image: ImageRow;
  category: CategoryRow;
}

/** Changes that a save makes to an annotation. */
export interface SavedEdits {
  /** In the order in which they are stored. */
  edits: ServerEdit[];
  /** Fields on the page after the save. `shape`: true if the page now has an outline that was not sent to it. */
  returned: Pick<Held, "keypoints" | "color" | "metadata"> & { shape?: true };
  /** True if the page's version is stored as a separate annotation. */
  isCopy: boolean;
}

/**
 * Returns a user's changes to an annotation on an older client's page, as edits on its newest revision; undefined if
 * there are none. A field that another user changed since it was sent keeps that user's value. The page's outline and
 * keypoints are then stored as a separate annotation, and the page's colour and metadata as an entry in the history.
 * Throws 400 on invalid values.
 */
export function annotationEdits(part: SavedPart): SavedEdits | undefined {
  const shape = changedShape(part);
  const keypoints = changedKeypoints(part);
  if (shape?.lost || keypoints?.lost) return copyOf(part);
  if (part.row.deleted_at) return undefined;
  const metadata = changedMetadata(part);
  const color = changedColor(part);
  const { saved, row, image } = part;
  const points = keypoints && postedKeypoints(keypoints.value, part.category.keypoints, row.keypoints);
  const after = {
    ...shape?.value,
    ...(points && { keypoints: points.keypoints }),
    ...(metadata && !same(metadata.value, row.metadata) && { metadata: metadata.value }),
    ...(color && !color.lost && { color: color.value }),
  };
  const edits = [
    ...(Object.keys(after).length > 0 ? [modification(row, image, after, points?.extraKeypoints)] : []),
    ...recordLostValues(part, after, { metadata: metadata?.lost, color: color?.lost }),
  ];
  if (edits.length === 0) return undefined;
  const returned = {
    ...(shape && { shape: true as const }),
    ...(keypoints && { keypoints: { got: saved.keypoints ?? [], stored: keypoints.value } }),
    ...(metadata && { metadata: { got: saved.metadata ?? {}, stored: metadata.value } }),
    ...(color && { color: { got: color.value, stored: color.lost ? row.color : color.value } }),
  };
  return { edits, returned, isCopy: false };
}

/**
 * Returns the page's changed shape; undefined if it equals the sent or the stored shape. `lost`: another user changed
 * the shape.
 */
function changedShape(part: SavedPart): Merged<AnnotationChange> | undefined {
  const { saved, row, sent, image } = part;
  const stored = versionOf(row);
  const isbbox = saved.isbbox ?? sent.isbbox;
  const isTheirs = row.deleted_at !== null || !same(stored.rings, sent.rings) || stored.isbbox !== sent.isbbox;
  const paths = pathsOf(part);
  if (!paths || isReturned({ paths, sent: sent.rings, size: image }))
    return isbbox === sent.isbbox || isTheirs ? undefined : { value: { isbbox }, lost: false };
  const rings = nested(paths);
  if (!isTheirs) return { value: { rings, isbbox }, lost: false };
  const isStored = !row.deleted_at && isReturned({ paths, sent: stored.rings, size: image });
  return isStored || rings.length === 0 ? undefined : { value: { rings, isbbox }, lost: true };
}

/** Returns the outlines in a save; undefined if it has none. Throws 400 if they cannot be read. */
function pathsOf({ saved, image }: Pick<SavedPart, "saved" | "image">): readonly Ring[] | undefined {
  try {
    return saved.path && pathsIn(saved.path, image);
  } catch (error) {
    if (!(error instanceof UnreadablePath)) throw error;
    throw badRequest(`The compoundPath of annotation ${saved.id} is not readable: ${error.message}`);
  }
}

/** Returns the questions that a thread must answer about a save's outlines before its edits can be made. */
export function questionsOfSave(parts: readonly SavedPart[]): Wanted[] {
  const outlines = parts.flatMap((part) => {
    const paths = pathsOf(part);
    return paths ? [{ ...part, paths }] : [];
  });
  const comparisons = outlines.flatMap(({ paths, sent, row, image: size }) =>
    [sent.rings, ...(row.deleted_at ? [] : [versionOf(row).rings])].map((rings) => ({ paths, sent: rings, size })),
  );
  return [...wantedComparisons(comparisons), ...wantedNesting(outlines.map(({ paths }) => paths))];
}

function changedKeypoints({ saved, row, sent, held, category }: SavedPart): Merged<number[]> | undefined {
  if (!saved.keypoints) return undefined;
  const stored = shownTriples(row, category.keypoints);
  const before = shownTriples({ ...row, keypoints: sent.keypoints }, category.keypoints);
  const { got = before, stored: base = before } = held.keypoints ?? {};
  const merged = mergeTriples(saved.keypoints, { before: got, base, stored });
  const isChange = merged.lost || !same(merged.value, stored);
  return isChange ? { ...merged, lost: merged.lost || row.deleted_at !== null } : undefined;
}

function changedMetadata({ saved, row, sent, held }: SavedPart): Merged<AnnotationRow["metadata"]> | undefined {
  if (!saved.metadata) return undefined;
  const { got = sent.metadata, stored: base = sent.metadata } = held.metadata ?? {};
  const merged = mergeMetadata(saved.metadata, { before: got, base, stored: row.metadata });
  return merged.lost || !same(merged.value, row.metadata) ? merged : undefined;
}

function changedColor({ saved, row, sent, held }: SavedPart): Merged<string> | undefined {
  const { got = sent.color, stored: base = sent.color } = held.color ?? {};
  // Colours in saves were parsed to lower case.
  if (!saved.color || [got, row.color].some((known) => known.toLowerCase() === saved.color)) return undefined;
  return { value: saved.color, lost: row.color !== base };
}

function modification(
  row: AnnotationRow,
  { id }: ImageRow,
  after: AnnotationChange,
  extraKeypoints?: readonly number[],
): ServerEdit {
  const about = { uuid: randomUUID(), subject: "annotation" as const, target: row.uuid, image_id: id };
  return {
    ...about,
    action: "modify",
    base: row.revision,
    before: fieldsOfAnnotation(annotationOf(row)),
    after,
    extraKeypoints,
  };
}

/** Records lost values in the history with two edits: one to the page's value and one back to the other user's. */
function recordLostValues(
  { saved, row, image }: SavedPart,
  after: AnnotationChange,
  lost: { metadata: boolean | undefined; color: boolean | undefined },
): ServerEdit[] {
  if (!lost.metadata && !lost.color) return [];
  const pick = ({ metadata, color }: Pick<SavedAnnotation, "metadata" | "color">): AnnotationChange => ({
    ...(lost.metadata && metadata && { metadata }),
    ...(lost.color && color && { color }),
  });
  const { metadata, color } = { ...row, ...after };
  return [modification(row, image, pick(saved)), modification(row, image, pick({ metadata, color }))];
}

/**
 * Returns the page's version as a new annotation. If the save has no outline, the outline that was sent to the page is
 * used.
 */
function copyOf(part: SavedPart): SavedEdits {
  const { saved, row, sent, image, category } = part;
  const paths = pathsOf(part);
  const points = saved.keypoints ? postedKeypoints(saved.keypoints, category.keypoints) : undefined;
  const metadata = saved.metadata ?? sent.metadata;
  const color = saved.color ?? sent.color;
  const edit = creation(randomUUID(), image.id, randomUUID(), {
    category_id: row.category_id,
    rings: paths ? nested(paths) : sent.rings,
    isbbox: saved.isbbox ?? sent.isbbox,
    metadata,
    attributes: row.attributes ?? {},
    color,
    keypoints: points ? points.keypoints : sent.keypoints,
  });
  const { keypoints } = saved;
  const returned = {
    shape: true as const,
    ...(keypoints && { keypoints: { got: keypoints, stored: keypoints } }),
    metadata: { got: metadata, stored: metadata },
    color: { got: color, stored: color },
  };
  return { edits: [{ ...edit, extraKeypoints: points?.extraKeypoints }], returned, isCopy: true };
}
