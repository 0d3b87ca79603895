import { type Kysely, sql } from "kysely";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

/**
 * A range of image ids of a dataset, with about as many annotations as one query should read: long queries block the
 * embedded database. Ranges begin at multiples of their length, so that new annotations do not move the other ranges'
 * bounds.
 */
export interface Block {
  /** First id. */
  from: number;
  /** One past the last id. */
  to: number;
  /** Fingerprint that changes with any of the images and their annotations. */
  mark: string;
}

/** Number of ids in the smallest block. */
const LEAF_IDS = 256;
const MAX_ANNOTATIONS = 16_000;
const MAX_IMAGES = 8_192;
/** Maximum number of images that one query reads. */
const PAGE = 50_000;

/** Images in one range of LEAF_IDS ids, with the numbers that their fingerprint is made of. */
interface Leaf {
  leaf: number;
  images: number;
  annotations: number;
  marks: readonly number[];
}

/** Returns the blocks of a dataset's images that are not deleted, in the order of ids. */
export async function blocksOf(db: Kysely<Schema>, datasetId: number): Promise<Block[]> {
  const leaves = await leavesOf(db, datasetId);
  return leaves.length === 0 ? [] : splitRange(leaves, 2 ** Math.ceil(Math.log2((leaves.at(-1)?.leaf ?? 0) + 1)), 0);
}

/**
 * Splits the range of `length` leaf numbers from `start` into blocks: a single block if it is small enough, otherwise
 * the blocks of its two halves.
 */
function splitRange(leaves: readonly Leaf[], length: number, start: number): Block[] {
  if (leaves.length === 0) return [];
  if (length === 1 || isSmall(leaves)) return [blockOf(leaves, length, start)];
  const half = length / 2;
  const middle = start + half;
  return [
    ...splitRange(
      leaves.filter(({ leaf }) => leaf < middle),
      half,
      start,
    ),
    ...splitRange(
      leaves.filter(({ leaf }) => leaf >= middle),
      half,
      middle,
    ),
  ];
}

function isSmall(leaves: readonly Leaf[]): boolean {
  const sum = (of: (leaf: Leaf) => number) => leaves.reduce((total, leaf) => total + of(leaf), 0);
  return sum((leaf) => leaf.annotations) <= MAX_ANNOTATIONS && sum((leaf) => leaf.images) <= MAX_IMAGES;
}

const blockOf = (leaves: readonly Leaf[], length: number, start: number): Block => ({
  from: start * LEAF_IDS,
  to: (start + length) * LEAF_IDS,
  mark: leaves.map(({ leaf, marks }) => `${leaf}:${marks.join(" ")}`).join(),
});

async function leavesOf(db: Kysely<Schema>, datasetId: number): Promise<Leaf[]> {
  const leaves = new Map<number, Leaf>();
  for (let last = 0; ; ) {
    const rows = await leafPage(db, datasetId, last);
    for (const row of rows) leaves.set(row.leaf, mergeLeaf(leaves.get(row.leaf), row));
    if (rows.reduce((total, row) => total + row.images, 0) < PAGE) return [...leaves.values()];
    last = Math.max(...rows.map((row) => row.last));
  }
}

async function leafPage(db: Kysely<Schema>, datasetId: number, after: number): Promise<(Leaf & { last: number })[]> {
  // Every change to an image or its annotations raises its revision; annotation time raises its milliseconds.
  const { rows } = await sql<Leaf & { last: number }>`
    select id / ${LEAF_IDS}::int as leaf, count(*) as images, sum(num_annotations) as annotations, max(id) as last,
      array[sum(id), sum(revision), sum(id::bigint * revision % 1000003), sum(milliseconds)]::float8[] as marks
    from (
      select id, num_annotations, revision, milliseconds from images
      where dataset_id = ${datasetId} and ${isLiveImage()} and id > ${after}
      order by id limit ${PAGE}
    ) page
    group by 1 order by 1`.execute(db);
  return rows;
}

/** Merges the parts of a leaf that two pages share. */
function mergeLeaf(one: Leaf | undefined, { leaf, images, annotations, marks }: Leaf): Leaf {
  if (!one) return { leaf, images, annotations, marks };
  return {
    leaf,
    images: one.images + images,
    annotations: one.annotations + annotations,
    marks: [...one.marks, ...marks],
  };
}
