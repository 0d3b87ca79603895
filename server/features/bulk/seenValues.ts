import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import type { Stage } from "../../../shared/entities/image";
import type { Schema } from "../../db/schema";
import { passesFilter } from "../images/imageList";
import { hasId, type Range, ranges } from "./ranges";

/**
 * Values that a command replaces, as the user saw them: an image that has another value by now was changed by another
 * user, and is left alone.
 */

/** Images of which the user saw the same value: by id, or, for a command on all images of a filter, by ranges of ids. */
export const seenImages = { ids: z.array(z.number()).default([]), ranges: ranges.default([]) };

export interface SeenGroup<Value> {
  value: Value;
  ids: number[];
  ranges: Range[];
}

export interface SeenValues {
  stage: Stage;
  /** Id of a user. */
  assignee: number | null;
}

export type Property = keyof SeenValues;

const COLUMNS = {
  stage: { column: sql`images.stage`, type: sql`text` },
  assignee: { column: sql`images.assignee_id`, type: sql`integer` },
};

/**
 * Returns SQL for 48 bits of a hash of images with their values, as a number that JSON keeps exactly. The hash of two
 * sets of images is the exclusive or of both.
 */
export const hashOfValues = (value: ReturnType<typeof sql>) =>
  sql<number>`bit_xor(hashtextextended(coalesce(${value}::text, ''), id) & 281474976710655)`;

/**
 * Reads the images that pass a filter, grouped by their value, which is the one in `seen` for images listed there.
 * Returns the groups, all ranges of one value in ascending order, and the digest of the values.
 */
export async function readValues<Name extends Property>(
  db: Kysely<Schema>,
  { datasetId, filter }: { datasetId: number; filter: Omit<ImageFilter, "order"> },
  name: Name,
  seen: readonly { value: SeenValues[Name]; ids: readonly number[] }[],
): Promise<{ groups: SeenGroup<SeenValues[Name]>[]; matching: Range[]; digest: number }> {
  const { column, type } = COLUMNS[name];
  const values = new Map(seen.flatMap(({ value, ids }) => ids.map((id) => [id, value] as const)));
  const { rows } = await sql<{ from: number; to: number; value: SeenValues[Name]; hash: number }>`
    select min(id) as "from", max(id) as "to", value, ${hashOfValues(sql`value`)} as hash from (
      select id, value, id - row_number() over (partition by value order by id) as stretch from (
        select images.id, case when seen.image is null then ${column} else seen.value end as value
        from images left join unnest(${[...values.keys()]}::integer[], ${[...values.values()]}::${type}[])
          as seen (image, value) on seen.image = images.id
        where ${passesFilter(datasetId, filter)}
      ) as valued
    ) as matching group by value, stretch order by 1`.execute(db);
  const groups = new Map<SeenValues[Name], SeenGroup<SeenValues[Name]>>();
  let hash = 0n;
  for (const row of rows) {
    const group = groups.get(row.value) ?? { value: row.value, ids: [], ranges: [] };
    groups.set(row.value, group);
    group.ranges.push([row.from, row.to]);
    hash ^= BigInt(row.hash);
  }
  return { groups: [...groups.values()], matching: rows.map(({ from, to }) => [from, to]), digest: Number(hash) };
}

/** Returns, for those of `ids` that are in a group, their group. */
export function groupsOf<Group extends Pick<SeenGroup<unknown>, "ids" | "ranges">>(
  groups: readonly Group[],
  ids: readonly number[],
): Map<number, Group> {
  const found = new Map<number, Group>();
  for (const group of groups) {
    const listed = new Set(group.ids);
    for (const id of ids) if (listed.has(id) || hasId(group.ranges, id)) found.set(id, group);
  }
  return found;
}
