import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import { blockSums } from "./blockSums";
import { type Block, blocksOf } from "./blocks";
import { dropOthers, type KeptSums, keepSums, keptSums, placeOf, wholeMark } from "./keptSums";
import { addSums, noSums, type Sums } from "./sums";

export interface SumsOptions {
  /** Queries that run side by side: more than one only where the database has more than one connection. */
  atOnce?: number;
  /** Called after each block that was added up. */
  afterBlock?: (milliseconds: number) => Promise<void>;
}

/** Returns the sums over a dataset's images and annotations: kept ones, and new ones for what changed since. */
export async function datasetSums(
  db: Kysely<Schema>,
  datasetId: number,
  { atOnce = 1, afterBlock }: SumsOptions = {},
): Promise<Sums> {
  const binned = await binnedCategories(db);
  const blocks = (await blocksOf(db, datasetId)).map((block) => ({ ...block, mark: wholeMark(block.mark, binned) }));
  const kept = await keptSums(db, datasetId);
  const isKept = (block: Block) => kept.get(placeOf(block))?.mark === block.mark;
  const total = noSums();
  for (const block of blocks.filter(isKept)) addSums(total, (kept.get(placeOf(block)) as KeptSums).sums);

  const stale = blocks.filter((block) => !isKept(block));
  const work = async () => {
    for (let block = stale.shift(); block; block = stale.shift()) {
      const started = performance.now();
      const sums = await blockSums(db, datasetId, block);
      await keepSums(db, datasetId, block, sums);
      addSums(total, sums);
      await afterBlock?.(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const places = new Set(blocks.map(placeOf));
  if ([...kept.keys()].some((place) => !places.has(place))) await dropOthers(db, datasetId, blocks);
  return total;
}

/** Deleted categories that annotations have: which they are says what is counted. */
async function binnedCategories(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    select id from categories c where deleted_at is not null
      and exists (select from annotations where category_id = c.id) order by id`.execute(db);
  return rows.map((row) => row.id).join();
}
