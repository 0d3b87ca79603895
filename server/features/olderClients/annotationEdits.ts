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

/** One annotation of a save, and what stands behind it. */
export interface SavedPart {
  saved: SavedAnnotation;
  /** As it is stored; deleted ones too. */
  row: AnnotationRow;
  /** As the page was sent it. */
  sent: SentVersion;
  held: Held;
  image: ImageRow;
  category: CategoryRow;
}

/** The changes that a save makes to an annotation. */
export interface SavedEdits {
  /** In their order. */
  edits: ServerEdit[];
  /** The page's state afterwards; of its outline, true where that is the page's own. */
  returned: Pick<Held, "keypoints" | "color" | "metadata"> & { shape?: true };
  /** The page's version goes in as an annotation of its own. */
  isCopy: boolean;
}

/**
 * Returns a user's changes of an annotation on an older client's page, as edits on its newest revision; undefined where nothing. A field that
 * somebody else changed since it was sent stays theirs: the page's outline and keypoints are then kept as an annotation
 * of their own, its colour and metadata as a step of the history. Throws 400 on what cannot be read.
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
    ...keptInHistory(part, after, { metadata: metadata?.lost, color: color?.lost }),
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

/** Undefined where the shape is as it was sent, or as it is stored anyway. `lost` where somebody else changed it. */
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
  const isThere = !row.deleted_at && isReturned({ paths, sent: stored.rings, size: image });
  return isThere || rings.length === 0 ? undefined : { value: { rings, isbbox }, lost: true };
}

/** Undefined where none is sent. */
function pathsOf({ saved, image }: Pick<SavedPart, "saved" | "image">): readonly Ring[] | undefined {
  try {
    return saved.path && pathsIn(saved.path, image);
  } catch (error) {
    if (!(error instanceof UnreadablePath)) throw error;
    throw badRequest(`The compoundPath of annotation ${saved.id} is not readable: ${error.message}`);
  }
}

/** Returns what a thread has to be asked about the outlines of a save before its edits are made. */
export function wantedOfSave(parts: readonly SavedPart[]): Wanted[] {
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
  // A save's colours were read in lower case.
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
  return { ...about, action: "modify", base: row.revision, before: fieldsOfAnnotation(annotationOf(row)), after, extraKeypoints };
}

/** Two steps for what is lost: to what the page has, and back to what somebody else made of it. */
function keptInHistory(
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

/** The page's version whole. An outline that it does not send is the one that it was sent. */
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
