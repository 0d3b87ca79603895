import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";

/**
 * A stretch of a dataset's images by id, with about as many annotations as one query should read: long queries hold
 * the embedded database up. Stretches lie at multiples of their length, so that a new annotation moves no other's ends.
 */
export interface Block {
  /** First id. */
  from: number;
  /** Id behind the last. */
  to: number;
  /** Changes with any of the images and any of their annotations. */
  mark: string;
}

/** Ids in the smallest block. */
const LEAST = 256;
const MAX_ANNOTATIONS = 16_000;
const MAX_IMAGES = 8_192;
/** Images that are looked at in one query. */
const PAGE = 50_000;

/** Images with ids in one stretch of LEAST, and what of them changes when anything does. */
interface Leaf {
  leaf: number;
  images: number;
  annotations: number;
  marks: readonly number[];
}

/** The blocks of a dataset's images that are not deleted, in the order of ids. */
export async function blocksOf(db: Kysely<Schema>, datasetId: number): Promise<Block[]> {
  const leaves = await leavesOf(db, datasetId);
  return leaves.length === 0 ? [] : cut(leaves, 2 ** Math.ceil(Math.log2((leaves.at(-1)?.leaf ?? 0) + 1)), 0);
}

/** The leaves of the `length` numbers from `start` on: as one block, or its halves. */
function cut(leaves: readonly Leaf[], length: number, start: number): Block[] {
  if (leaves.length === 0) return [];
  if (length === 1 || isSmall(leaves)) return [blockOf(leaves, length, start)];
  const half = length / 2;
  const middle = start + half;
  return [
    ...cut(
      leaves.filter(({ leaf }) => leaf < middle),
      half,
      start,
    ),
    ...cut(
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
  from: start * LEAST,
  to: (start + length) * LEAST,
  mark: leaves.map(({ leaf, marks }) => `${leaf}:${marks.join(" ")}`).join(),
});

async function leavesOf(db: Kysely<Schema>, datasetId: number): Promise<Leaf[]> {
  const leaves = new Map<number, Leaf>();
  for (let last = 0; ; ) {
    const rows = await leafPage(db, datasetId, last);
    for (const row of rows) leaves.set(row.leaf, joined(leaves.get(row.leaf), row));
    if (rows.reduce((total, row) => total + row.images, 0) < PAGE) return [...leaves.values()];
    last = Math.max(...rows.map((row) => row.last));
  }
}

async function leafPage(db: Kysely<Schema>, datasetId: number, after: number): Promise<(Leaf & { last: number })[]> {
  // Each change of an image or its annotations raises its revision, time at work its milliseconds.
  const { rows } = await sql<Leaf & { last: number }>`
    select id / ${LEAST}::int as leaf, count(*) as images, sum(num_annotations) as annotations, max(id) as last,
      array[sum(id), sum(revision), sum(id::bigint * revision % 1000003), sum(milliseconds)]::float8[] as marks
    from (
      select id, num_annotations, revision, milliseconds from images
      where dataset_id = ${datasetId} and deleted_at is null and id > ${after}
      order by id limit ${PAGE}
    ) page
    group by 1 order by 1`.execute(db);
  return rows;
}

/** A leaf that two pages share. */
function joined(one: Leaf | undefined, { leaf, images, annotations, marks }: Leaf): Leaf {
  if (!one) return { leaf, images, annotations, marks };
  return {
    leaf,
    images: one.images + images,
    annotations: one.annotations + annotations,
    marks: [...one.marks, ...marks],
  };
}
