import type { Runs } from "../coco/mask";
import { boxOverlap, maskOverlap } from "../coco/overlap";
import { shapeRuns } from "../coco/shapeRuns";
import type { CheckedAnnotation, CheckedImage } from "./checkedImage";
import type { Finding } from "./finding";

/** Overlap above which two annotations of one category are the same object. */
export const SAME_OBJECT = 0.95;
/** Overlap above which two annotations of different categories contradict each other. */
export const SAME_PLACE = 0.9;
/**
 * Overlap of the boxes from which the masks are compared: masks that overlap by 0.9 may have somewhat different boxes.
 */
const NEAR_BOX = 0.75;

/**
 * Finds pairs of annotations at the same place. Overlap is the intersection over the union (Jaccard, 1912) of the
 * masks, or of the boxes if one of the two has no shape. The newer annotation of a pair is the finding. Skips crowds.
 */
export function findDuplicates({ id, width, height, annotations }: CheckedImage): Finding[] {
  const all = annotations.filter(({ iscrowd, bbox }) => !iscrowd && bbox[2] > 0 && bbox[3] > 0);
  const byLeft = all.toSorted((a, b) => a.bbox[0] - b.bbox[0]);
  const runs = new Map<number, Runs | undefined>();
  const runsOf = (annotation: CheckedAnnotation) => {
    if (!runs.has(annotation.id)) runs.set(annotation.id, maskOf(annotation, width, height));
    return runs.get(annotation.id);
  };
  const worst = new Map<string, Finding>();
  for (const [i, first] of byLeft.entries())
    for (let k = i + 1; k < byLeft.length; k++) {
      const second = byLeft[k]!;
      if (second.bbox[0] > first.bbox[0] + first.bbox[2]) break;
      const boxes = boxOverlap(first.bbox, second.bbox);
      const isSame = first.category_id === second.category_id;
      if (boxes < NEAR_BOX) continue;
      const hasShapes = first.shape !== null && second.shape !== null;
      const masks = hasShapes ? [runsOf(first), runsOf(second)] : [];
      const overlap = masks[0] && masks[1] ? maskOverlap(masks[0], masks[1]) : boxes;
      if (overlap <= (isSame ? SAME_OBJECT : SAME_PLACE)) continue;
      const kind = isSame ? ("duplicate" as const) : ("contradiction" as const);
      const [older, newer] = first.id < second.id ? [first, second] : [second, first];
      const key = `${kind} ${newer.id}`;
      if ((worst.get(key)?.score ?? 0) >= overlap) continue;
      const details = { overlap };
      worst.set(key, { kind, image: id, annotation: newer.id, otherAnnotation: older.id, score: overlap, details });
    }
  return [...worst.values()].sort((a, b) => a.annotation! - b.annotation!);
}

function maskOf({ shape, bbox, isbbox }: CheckedAnnotation, width: number, height: number): Runs | undefined {
  try {
    return shapeRuns(shape, bbox, isbbox, width, height);
  } catch (error) {
    // A broken shape, which the exports report.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
