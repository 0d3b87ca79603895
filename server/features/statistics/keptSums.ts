import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Block } from "./blocks";
import type { Sums } from "./sums";

/** Sums of blocks that are kept in the database, so that they outlive the process and all processes have them. */

/** Raised when blocks are added up in another way. */
const VERSION = 1;

export interface KeptSums {
  mark: string;
  sums: Sums;
}

/** By place: see placeOf. */
export async function keptSums(db: Kysely<Schema>, datasetId: number): Promise<Map<string, KeptSums>> {
  const { rows } = await sql<{ first: number; behind: number; mark: string; sums: Written }>`
    select first, behind, mark, sums from statistics_blocks where dataset_id = ${datasetId}`.execute(db);
  return new Map(
    rows.map(({ first, behind, mark, sums }) => [placeOf({ from: first, to: behind }), { mark, sums: read(sums) }]),
  );
}

export async function keepSums(db: Kysely<Schema>, datasetId: number, { from, to, mark }: Block, sums: Sums) {
  await sql`
    insert into statistics_blocks (dataset_id, first, behind, mark, sums)
    select id, ${from}::int, ${to}::int, ${mark}, ${JSON.stringify(written(sums))}::jsonb from datasets where id = ${datasetId}
    on conflict (dataset_id, first, behind) do update set mark = excluded.mark, sums = excluded.sums`.execute(db);
}

/** Blocks are cut anew as a dataset grows. */
export async function dropOthers(db: Kysely<Schema>, datasetId: number, blocks: readonly Block[]): Promise<void> {
  await sql`
    delete from statistics_blocks where dataset_id = ${datasetId} and (first, behind) not in (
      select * from unnest(${blocks.map(({ from }) => from)}::int[], ${blocks.map(({ to }) => to)}::int[]))`.execute(
    db,
  );
}

export const placeOf = ({ from, to }: Pick<Block, "from" | "to">) => `${from} ${to}`;

/** The block's mark with all else that its sums depend on, in few characters. */
export const wholeMark = (mark: string, binnedCategories: string) =>
  createHash("md5").update(`${VERSION} ${binnedCategories} ${mark}`).digest("hex");

/** Sums as JSON: maps are lists of pairs. */
type Written = { [F in keyof Sums]: Sums[F] extends Map<infer K, infer V> ? [K, V][] : Sums[F] };

const written = (sums: Sums): Written => ({
  ...sums,
  categories: [...sums.categories],
  makers: [...sums.makers],
  names: [...sums.names],
  times: [...sums.times],
});

const read = (sums: Written): Sums => ({
  ...sums,
  categories: new Map(sums.categories),
  makers: new Map(sums.makers),
  names: new Map(sums.names),
  times: new Map(sums.times),
});
