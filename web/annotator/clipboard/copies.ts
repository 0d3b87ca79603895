import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { AnnotationChange } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings, Rle } from "../../../shared/entities/shape";
import { type Scale, scaleBetween, scaleKeypoints, scaleRings } from "../../../shared/geometry/scale";
import type { SceneCategory } from "../document/document";

interface Size {
  width: number;
  height: number;
}

export interface CopyOptions {
  /** Ids of categories that are not copied. */
  without: ReadonlySet<number>;
  /** Returns the outline of a mask. Rejects if the mask is malformed. */
  trace: (rle: Rle) => Promise<Rings>;
  signal?: AbortSignal;
}

export interface Copies {
  annotations: (AnnotationChange & { category_id: number })[];
  categories: SceneCategory[];
  /** Number of crowds that became plain annotations, because edits cannot contain masks. */
  crowds: number;
  /** Number of malformed masks that could not be copied. */
  malformed: number;
}

export const isSameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

/** Returns true if an annotation has a shape or keypoints to copy. */
export function isWorthCopying({ rings, rle, keypoints }: Annotation): boolean {
  return rle !== null || (keypoints?.length ?? 0) > 0 || (rings ?? []).some((polygon) => polygon.flat().length > 0);
}

/**
 * Converts an image's annotations for another image of the given size. Outlines are scaled if the sizes differ; masks
 * are replaced by their outlines.
 */
export async function copiesOf(
  source: AnnotatorScene,
  to: Size,
  { without, trace, signal }: CopyOptions,
): Promise<Copies> {
  const scale = isSameSize(source.image, to) ? null : scaleBetween(source.image, to);
  const result: Copies = { annotations: [], categories: [], crowds: 0, malformed: 0 };
  for (const { annotations, ...category } of source.categories) {
    const wanted = without.has(category.id) ? [] : annotations.filter(isWorthCopying);
    if (wanted.length > 0) result.categories.push(category);
    for (const annotation of wanted) {
      const rings = await outlineOf(annotation, trace);
      signal?.throwIfAborted();
      if (!rings) result.malformed++;
      else result.annotations.push(copyOf(annotation, rings, scale));
      if (rings && annotation.iscrowd) result.crowds++;
    }
  }
  return result;
}

async function outlineOf({ rings, rle }: Annotation, trace: CopyOptions["trace"]): Promise<Rings | null> {
  if (rings || !rle) return rings ?? [];
  return trace(rle).catch(() => null);
}

function copyOf(
  { category_id, isbbox, color, metadata, attributes, keypoints }: Annotation,
  rings: Rings,
  scale: Scale | null,
) {
  return {
    category_id,
    isbbox,
    color,
    metadata,
    attributes,
    rings: scale ? scaleRings(rings, scale) : rings,
    keypoints: scale && keypoints ? scaleKeypoints(keypoints, scale) : keypoints,
  };
}
