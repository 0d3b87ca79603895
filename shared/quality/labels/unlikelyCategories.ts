import type { Finding } from "../finding";
import { categoryVote, type Vote } from "./categoryVote";
import type { LookedAt } from "./lookedAt";
import { vectorsOf } from "./vectors";
import { whiten } from "./whiten";

/** Number of annotations from which categories are compared. */
export const FEWEST_JUDGED = 50;
/** Logarithm of how many times likelier another category must be: 148 times. */
export const LEAST_MARGIN = 5;
/** Margin from which an annotation does not vote in the second round. */
const LEAST_DOUBT = 2;
/** Largest share of the annotations that are findings: a list to look at, not the whole dataset. */
export const MOST_UNLIKELY = 0.05;

/**
 * Finds annotations that look like those of another category, by the appearance that DEXTR's encoder sees, size,
 * proportions, place and the other annotations in the image. This is the rule "out-of-sample probability of the given
 * label is low" of confident learning (Northcutt, Jiang, Chuang, "Confident learning: estimating uncertainty in dataset
 * labels", JAIR 70, 2021), with one bound for all categories, since most are too small for their own. If many labels
 * are wrong, no vote is sure; therefore those that look wrong are left out in a second round, as there ("prune"). It
 * adds findings, but the first round ranks them, because the second one is too sure of itself.
 */
export function findUnlikelyCategories(annotations: readonly LookedAt[]): Finding[] {
  const judged = annotations.filter(({ features }) => features !== undefined);
  const categories = [...new Set(judged.map(({ category }) => category))];
  if (judged.length < FEWEST_JUDGED || categories.length < 2) return [];
  const numbers = new Map(categories.map((category, i) => [category, i]));
  const groups = Int32Array.from(judged, ({ category }) => numbers.get(category)!);
  const images = judged.map(({ image }) => image);
  const votes = (isTrusted: (row: number) => boolean): Vote[] => {
    const matrix = vectorsOf(judged);
    if (!whiten(matrix, groups, categories.length, isTrusted)) return [];
    return judged.map(categoryVote(matrix, groups, images, categories.length, isTrusted));
  };
  const first = votes(() => true);
  if (first.length === 0) return [];
  const second = votes((row) => !(first[row]!.margin > LEAST_DOUBT));
  const findings = judged.flatMap(({ id, revision, image, category }, row): Finding[] => {
    const { other, margin } = first[row]!;
    if (!(margin > 0 && Math.max(margin, second[row]?.margin ?? margin) > LEAST_MARGIN)) return [];
    const details = { likely: categories[other]!, margin };
    return [{ kind: "unlikelyCategory", image, annotation: id, revision, category, score: margin, details }];
  });
  return findings.sort((a, b) => b.score - a.score).slice(0, Math.floor(MOST_UNLIKELY * judged.length));
}
