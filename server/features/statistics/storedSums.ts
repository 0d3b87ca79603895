import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Sums } from "../../../shared/statistics/sums";
import type { Schema } from "../../db/schema";
import type { Block } from "./blocks";

/** Sums of blocks, stored in the database so that they survive restarts and all processes share them. */

/** Version of the sums. Raise it when blocks are summed differently, which invalidates all stored sums. */
const VERSION = 1;

export interface StoredSums {
  mark: string;
  sums: Sums;
}

/** Loads a dataset's stored sums by blockKey. */
export async function loadSums(db: Kysely<Schema>, datasetId: number): Promise<Map<string, StoredSums>> {
  const { rows } = await sql<{ first: number; behind: number; mark: string; sums: SumsJson }>`
    select first, behind, mark, sums from statistics_blocks where dataset_id = ${datasetId}`.execute(db);
  return new Map(
    rows.map(({ first, behind, mark, sums }) => [
      blockKey({ from: first, to: behind }),
      { mark, sums: fromJson(sums) },
    ]),
  );
}

/** Stores a block's sums. */
export async function storeSums(db: Kysely<Schema>, datasetId: number, { from, to, mark }: Block, sums: Sums) {
  await sql`
    insert into statistics_blocks (dataset_id, first, behind, mark, sums)
    select id, ${from}::int, ${to}::int, ${mark}, ${JSON.stringify(toJson(sums))}::jsonb from datasets where id = ${datasetId}
    on conflict (dataset_id, first, behind) do update set mark = excluded.mark, sums = excluded.sums`.execute(db);
}

/** Deletes the stored sums of ranges that are no longer blocks: as a dataset grows, its blocks are split again. */
export async function deleteOtherBlocks(
  db: Kysely<Schema>,
  datasetId: number,
  blocks: readonly Block[],
): Promise<void> {
  await sql`
    delete from statistics_blocks where dataset_id = ${datasetId} and (first, behind) not in (
      select * from unnest(${blocks.map(({ from }) => from)}::int[], ${blocks.map(({ to }) => to)}::int[]))`.execute(
    db,
  );
}

/** Returns the key of a block in loadSums. */
export const blockKey = ({ from, to }: Pick<Block, "from" | "to">) => `${from} ${to}`;

/** Hashes the block's mark with everything else that its sums depend on. */
export const wholeMark = (mark: string, deletedCategories: string) =>
  createHash("md5").update(`${VERSION} ${deletedCategories} ${mark}`).digest("hex");

/** Sums as JSON, with maps as lists of pairs. */
type SumsJson = { [F in keyof Sums]: Sums[F] extends Map<infer K, infer V> ? [K, V][] : Sums[F] };

const toJson = (sums: Sums): SumsJson => ({
  ...sums,
  categories: [...sums.categories],
  makers: [...sums.makers],
  names: [...sums.names],
  times: [...sums.times],
});

const fromJson = (sums: SumsJson): Sums => ({
  ...sums,
  categories: new Map(sums.categories),
  makers: new Map(sums.makers),
  names: new Map(sums.names),
  times: new Map(sums.times),
});
