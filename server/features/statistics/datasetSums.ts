import { type Kysely, sql } from "kysely";
import { addSums, noSums, type Sums } from "../../../shared/statistics/sums";
import type { Schema } from "../../db/schema";
import { blockSums } from "./blockSums";
import { type Block, blocksOf } from "./blocks";
import { blockKey, deleteOtherBlocks, loadSums, type StoredSums, storeSums, wholeMark } from "./storedSums";

export interface SumsOptions {
  /** Number of concurrent queries: more than one only if the database has more than one connection. */
  atOnce?: number;
  /** Called after each summed block with the time it took. */
  afterBlock?: (milliseconds: number) => Promise<void>;
}

/** Returns the sums over a dataset's images and annotations: stored sums, and new sums for blocks that have changed. */
export async function datasetSums(
  db: Kysely<Schema>,
  datasetId: number,
  { atOnce = 1, afterBlock }: SumsOptions = {},
): Promise<Sums> {
  const deleted = await deletedCategories(db);
  const blocks = (await blocksOf(db, datasetId)).map((block) => ({ ...block, mark: wholeMark(block.mark, deleted) }));
  const stored = await loadSums(db, datasetId);
  const isFresh = (block: Block) => stored.get(blockKey(block))?.mark === block.mark;
  const total = noSums();
  for (const block of blocks.filter(isFresh)) addSums(total, (stored.get(blockKey(block)) as StoredSums).sums);

  const stale = blocks.filter((block) => !isFresh(block));
  const work = async () => {
    for (let block = stale.shift(); block; block = stale.shift()) {
      const started = performance.now();
      const sums = await blockSums(db, datasetId, block);
      await storeSums(db, datasetId, block, sums);
      addSums(total, sums);
      await afterBlock?.(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const keys = new Set(blocks.map(blockKey));
  if ([...stored.keys()].some((key) => !keys.has(key))) await deleteOtherBlocks(db, datasetId, blocks);
  return total;
}

/** Returns the ids of deleted categories that have annotations, since those annotations are not counted. */
async function deletedCategories(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    select id from categories c where deleted_at is not null
      and exists (select from annotations where category_id = c.id) order by id`.execute(db);
  return rows.map((row) => row.id).join();
}
