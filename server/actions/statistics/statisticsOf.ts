import { type Kysely, sql } from "kysely";
import type { Statistics } from "../../../shared/entities/statistics";
import type { Schema } from "../../db/schema";
import { keptBriefly } from "../keptBriefly";
import { blockSums } from "./blockSums";
import { type Block, blocksOf } from "./blocks";
import { statisticsDocument } from "./statisticsDocument";
import { addSums, noSums, type Sums } from "./sums";

/**
 * What a dataset's annotations add up to. Blocks of pictures are added up once and kept in memory until one of their
 * pictures changes, so that only the first call on a large dataset reads all annotations. `atOnce` queries run side by
 * side: more than one only where the database has more than one connection.
 */
export function statisticsOf(db: Kysely<Schema>, datasetId: number, atOnce = 1): Promise<Statistics> {
  return keptBriefly(db, datasetId, "statistics", async () => {
    const sums = await datasetSums(db, datasetId, atOnce);
    return statisticsDocument(db, datasetId, sums);
  });
}

/** The sums of a dataset's blocks, by block, and the deleted categories that were not counted in them. */
interface Kept {
  binned: string;
  blocks: Map<string, { mark: string; sums: Sums }>;
}

/** Datasets whose blocks are kept. */
const MAX_KEPT = 20;
const keptBy = new WeakMap<Kysely<Schema>, Map<number, Kept>>();

async function datasetSums(db: Kysely<Schema>, datasetId: number, atOnce: number): Promise<Sums> {
  const binned = await binnedCategories(db);
  const blocks = await blocksOf(db, datasetId);
  const old = keptOf(db).get(datasetId);
  const known = old?.binned === binned ? old.blocks : undefined;
  const kept: Kept = { binned, blocks: new Map() };
  const total = noSums();
  const waiting = [...blocks];
  const work = async () => {
    for (let block = waiting.shift(); block; block = waiting.shift()) {
      const name = `${block.from} ${block.to}`;
      const sums = await sumsOf(db, datasetId, block, known?.get(name));
      kept.blocks.set(name, { mark: block.mark, sums });
      addSums(total, sums);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  keep(db, datasetId, kept);
  return total;
}

async function sumsOf(
  db: Kysely<Schema>,
  datasetId: number,
  block: Block,
  before: { mark: string; sums: Sums } | undefined,
): Promise<Sums> {
  return before?.mark === block.mark ? before.sums : blockSums(db, datasetId, block);
}

/** Deleted categories that annotations have: which they are says what is counted. */
async function binnedCategories(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    select id from categories c where deleted_at is not null
      and exists (select from annotations where category_id = c.id) order by id`.execute(db);
  return rows.map((row) => row.id).join();
}

function keptOf(db: Kysely<Schema>): Map<number, Kept> {
  const kept = keptBy.get(db) ?? new Map<number, Kept>();
  keptBy.set(db, kept);
  return kept;
}

/** The dataset that was asked for least lately gives way. */
function keep(db: Kysely<Schema>, datasetId: number, sums: Kept): void {
  const kept = keptOf(db);
  kept.delete(datasetId);
  kept.set(datasetId, sums);
  const oldest = kept.keys().next();
  if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
}
