import type { Kysely } from "kysely";
import {
  addComparisons,
  addCounts,
  agreementOf,
  type Comparison,
  type Counts,
  exchanged,
  kappaOf,
  meanFigure,
} from "../../../shared/agreement/figures";
import type {
  AnnotatorFigures,
  ConsensusImage,
  ConsensusOrder,
  getConsensus,
  PairFigures,
  ShownAgreement,
} from "../../../shared/api/datasets/consensus";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import type { Schema } from "../../db/schema";
import { type Compared, comparePairs, pairsOf } from "./compare/comparisons";
import { annotatorsOf, type Copy, loadCopies, loadTruths } from "./copies/copies";
import { groupedBy } from "./copies/groupedBy";
import { mergedImages, readImages } from "./copies/readImages";

/** Returns how far the annotators of a dataset's copies agree. */
export async function consensusFigures(db: Kysely<Schema>, datasetId: number): Promise<OutputOf<typeof getConsensus>> {
  const copies = await loadCopies(db, datasetId);
  const truths = await loadTruths(db, datasetId);
  const { compared, pending } = await comparePairs(db, pairsOf(copies, truths));
  const ofPairs = compared.filter(({ b }) => b !== undefined);
  const total = addComparisons(ofPairs.map(({ comparison }) => comparison));
  const byImage = groupedBy(copies, ({ original_id }) => original_id);
  const annotators = annotatorsOf(copies);
  return {
    images: byImage.size,
    finished: [...byImage.values()].filter((own) => own.every(({ is_finished }) => is_finished)).length,
    truths: truths.size,
    pending,
    agreement: shown(addCounts(total.categories)),
    categories: await categoriesOf(db, total),
    pairs: annotators.flatMap((a, i) =>
      annotators.slice(i + 1).flatMap((b) => figuresOfPair(ofPairs, a.id, b.id) ?? []),
    ),
    annotators: annotators.map((annotator) => ({
      ...annotator,
      ...figuresOfAnnotator(annotator.id, copies, compared),
    })),
  };
}

function shown(counts: Counts): ShownAgreement {
  const { f1, overlap, quality } = agreementOf(counts);
  return { matched: counts.matched, single: counts.only_a + counts.only_b, f1, overlap, quality };
}

const countsOf = (comparisons: readonly Comparison[]): Counts =>
  addCounts(comparisons.flatMap(({ categories }) => categories));

async function categoriesOf(db: Kysely<Schema>, total: Comparison) {
  const ids = total.categories.map(({ category_id }) => category_id);
  const rows = await db
    .selectFrom("categories")
    .select(["id", "name", "color"])
    .where("id", "in", [0, ...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return total.categories.flatMap(({ category_id, ...counts }) => {
    const row = byId.get(category_id);
    return row ? [{ category_id, name: row.name, color: row.color, agreement: shown(counts) }] : [];
  });
}

/** Returns the comparisons of an annotator's copies with those of others, with the annotator as A. */
function comparisonsOf(
  annotator: number,
  ofPairs: readonly Compared[],
): { copy: Copy; other: Copy; comparison: Comparison }[] {
  return ofPairs.flatMap(({ a, b, comparison }) => {
    if (b && a.annotator === annotator) return [{ copy: a, other: b, comparison }];
    if (b?.annotator === annotator) return [{ copy: b, other: a, comparison: exchanged(comparison) }];
    return [];
  });
}

function figuresOfPair(ofPairs: readonly Compared[], a: number, b: number): PairFigures | undefined {
  const shared = comparisonsOf(a, ofPairs).filter(({ other }) => other.annotator === b);
  if (shared.length === 0) return undefined;
  const { categories, confusion } = addComparisons(shared.map(({ comparison }) => comparison));
  return { a, b, images: shared.length, agreement: shown(addCounts(categories)), kappa: kappaOf(confusion) };
}

function figuresOfAnnotator(
  annotator: number,
  copies: readonly Copy[],
  compared: readonly Compared[],
): Omit<AnnotatorFigures, "id" | "username"> {
  const own = copies.filter((copy) => copy.annotator === annotator);
  const withOthers = comparisonsOf(annotator, compared);
  const days = [...groupedBy(withOthers, ({ copy }) => copy.day)].sort(([a], [b]) => (a < b ? -1 : 1));
  const withTruth = compared.filter(({ a, b }) => b === undefined && a.annotator === annotator);
  const scored = countsOf(withTruth.map(({ comparison }) => comparison));
  const { precision, recall } = agreementOf(scored);
  return {
    given: own.length,
    finished: own.filter(({ is_finished }) => is_finished).length,
    agreement: shown(countsOf(withOthers.map(({ comparison }) => comparison))),
    days: days.map(([day, ofDay]) => ({
      day,
      images: new Set(ofDay.map(({ copy }) => copy.id)).size,
      ...shown(countsOf(ofDay.map(({ comparison }) => comparison))),
    })),
    score: withTruth.length === 0 ? null : { images: withTruth.length, ...shown(scored), precision, recall },
  };
}

/** Returns a page of the images of a dataset that have copies or whose truth is known. */
export async function consensusImages(
  db: Kysely<Schema>,
  datasetId: number,
  { order, page, limit }: { order: ConsensusOrder; page: number; limit: number },
) {
  const copies = await loadCopies(db, datasetId);
  const truths = await loadTruths(db, datasetId);
  const { compared, pending } = await comparePairs(db, pairsOf(copies, truths));
  const byImage = groupedBy(compared, ({ a }) => a.original_id);
  const ids = [...new Set([...copies.map(({ original_id }) => original_id), ...truths.keys()])];
  const f1Of = new Map(ids.map((id) => [id, meansOf(byImage.get(id) ?? []).f1]));
  const images = await readImages(db, ids);
  // Images without a figure come last.
  if (order === "f1") images.sort((a, b) => (f1Of.get(a.id) ?? 2) - (f1Of.get(b.id) ?? 2));
  const { total, pages, start, page: shownPage } = pageOf(page, limit, images.length);
  const listed = images.slice(start, start + limit);
  const merges = await mergedImages(
    db,
    listed.map(({ id }) => id),
  );
  const copiesOf = groupedBy(copies, ({ original_id }) => original_id);
  return {
    total,
    pages,
    page: shownPage,
    pending,
    annotators: annotatorsOf(copies),
    images: listed.map((image) =>
      imageFigures(image, copiesOf.get(image.id) ?? [], byImage.get(image.id) ?? [], {
        is_truth: truths.has(image.id),
        merged_at: merges.get(image.id) ?? null,
      }),
    ),
  };
}

type ReadImage = Awaited<ReturnType<typeof readImages>>[number];

/** Returns an image of the list with the figures of its copies. */
export function imageFigures(
  image: ReadImage,
  copies: readonly Copy[],
  compared: readonly Compared[],
  more: Pick<ConsensusImage, "is_truth" | "merged_at">,
): ConsensusImage {
  return {
    ...image,
    ...more,
    copies: copies.map(({ id, annotator, is_finished, num_annotations }) => ({
      ...{ annotator, is_finished, num_annotations },
      f1: meansOf(compared.filter(({ aId, bId }) => aId === id || bId === id)).f1,
    })),
    ...meansOf(compared),
  };
}

function meansOf(compared: readonly Compared[]): { f1: number | null; overlap: number | null } {
  const each = compared.map(({ comparison }) => agreementOf(countsOf([comparison])));
  return { f1: meanFigure(each.map(({ f1 }) => f1)), overlap: meanFigure(each.map(({ overlap }) => overlap)) };
}
