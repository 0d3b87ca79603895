import type { CopiedAnnotation, CopiedScene, ManifestCategory } from "../../../shared/api/offline";
import { EXTRA_KEYPOINTS_KEY } from "../../../shared/rules/keypointTriples";

/** A scene of the copy. Edited annotations, also new ones, have been through measureEdited (shared/edits). */
export type LocalScene = CopiedScene;

/** Returns true for annotations that exports write and statistics count: those with a shape, a box or keypoints. */
export function isShown({ rings, rle, isbbox, area, keypoints, extra }: CopiedAnnotation): boolean {
  if (isbbox || area > 0 || (keypoints?.length ?? 0) > 0) return true;
  if (rings === null ? rle !== null : rings.length > 0) return true;
  const triples = extra?.[EXTRA_KEYPOINTS_KEY];
  return Array.isArray(triples) && triples.length > 0;
}

/** Returns the categories that are not in the trash, by id. */
export const liveCategories = (categories: readonly ManifestCategory[]): Map<number, ManifestCategory> =>
  new Map(categories.filter(({ deleted }) => !deleted).map((category) => [category.id, category]));

/** Longest time for which local answers occupy a thread, in milliseconds. */
const TURN_MS = 10;

/** Returns a function to await between the parts of long work: it yields to other work once TURN_MS have passed. */
export function makePause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise<void>((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
