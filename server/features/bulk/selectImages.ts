import { hash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import { HttpError } from "../../base/errors";
import type { Schema } from "../../db/schema";
import { passesFilter } from "../images/imageList";
import type { Selection } from "./change";
import { joined, numberOf, type Range, withoutIds } from "./ranges";
import { hashOfValues, type Property, readValues, type SeenGroup, type SeenValues } from "./seenValues";

type Filter = Omit<ImageFilter, "order">;

/** Images as a bulk command selects them: by `ids`, or by a filter with optional `except`, `total` and `digest`. */
interface Selector {
  ids?: number[] | undefined;
  filter?: Filter | undefined;
  except?: number[] | undefined;
  total?: number | undefined;
  digest?: number | undefined;
}

/**
 * Resolves the images of a dataset that a bulk command selects. A filter is applied once, here, so that exactly the
 * counted images are changed, even by a task that runs later. Throws 409 if their number is not `total`, or if other
 * images match the filter than those of `digest`.
 */
export async function selectImages(
  db: Kysely<Schema>,
  datasetId: number,
  { ids = [], filter, ...selector }: Selector,
): Promise<Selection> {
  if (!filter) return { ids };
  return { ranges: checkMatching(await matchingRanges(db, datasetId, filter), selector) };
}

/**
 * Resolves the images like `selectImages`, with the values of a property that the command replaces: those that the user
 * saw according to `seen`, and for other images of a filter the present ones, so that a task leaves alone what another
 * user changes before its turn. Also throws 409 if these values are not those of the digest in `seen`.
 */
export async function selectSeenImages<Name extends Property>(
  db: Kysely<Schema>,
  datasetId: number,
  { ids = [], filter, ...selector }: Selector,
  name: Name,
  seen: { digest: number | undefined; groups: { value: SeenValues[Name]; ids: number[] }[] },
): Promise<{ selection: Selection; seen: SeenGroup<SeenValues[Name]>[] }> {
  if (!filter) return { selection: { ids }, seen: seen.groups.map((group) => ({ ...group, ranges: [] })) };
  const strict = { datasetId, filter: strictly(filter) };
  const { groups, matching, digest } = await readValues(db, strict, name, seen.groups);
  const all = joined(matching);
  const fact = DIGESTS[name];
  const ranges = checkMatching(all, selector, { [fact]: digest });
  if (seen.digest !== undefined && seen.digest !== digest)
    throw changedMatches(
      name === "stage"
        ? "The stage of images has changed since they were selected. Nothing was changed. Try again."
        : "The assigned user of images has changed since they were selected. Nothing was changed. Try again.",
      { ...factsOf(all, ranges), [fact]: digest },
    );
  return { selection: { ranges }, seen: groups };
}

/** Name of the digest of each property in requests and in the facts of a refusal. */
const DIGESTS = { stage: "stages", assignee: "assignees" } as const satisfies Record<Property, string>;

/**
 * Returns the number of images that match a filter, a number that changes when other images match, and numbers that
 * change with their stages and assignees.
 */
export async function digestImages(db: Kysely<Schema>, datasetId: number, filter: Filter) {
  const { rows } = await sql<{ from: number; to: number; stages: number; assignees: number }>`
    select min(id) as "from", max(id) as "to", ${hashOfValues(sql`stage`)} as stages,
      ${hashOfValues(sql`assignee_id`)} as assignees
    from (${stretches(datasetId, filter)}) as matching group by stretch order by 1`.execute(db);
  const ranges = rows.map(({ from, to }): Range => [from, to]);
  const allOf = (name: "stages" | "assignees") => Number(rows.reduce((all, row) => all ^ BigInt(row[name]), 0n));
  return { ...factsOf(ranges), stages: allOf("stages"), assignees: allOf("assignees") };
}

const factsOf = (all: readonly Range[], selected = all) => ({ total: numberOf(selected), digest: digestOf(all) });

/** Returns 48 bits of a hash of the ids, as a number that JSON keeps exactly. */
const digestOf = (ranges: readonly Range[]) =>
  Number.parseInt(hash("sha1", JSON.stringify(ranges), "hex").slice(0, 12), 16);

/** Category filters are strict: images without any of the categories do not pass. */
const strictly = (filter: Filter): Filter => ({ ...filter, strict_categories: true });

const stretches = (datasetId: number, filter: Filter) => sql`
  select id, stage, assignee_id, id - row_number() over (order by id) as stretch from images
  where ${passesFilter(datasetId, strictly(filter))}`;

async function matchingRanges(db: Kysely<Schema>, datasetId: number, filter: Filter): Promise<Range[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    select min(id) as "from", max(id) as "to" from (${stretches(datasetId, filter)}) as matching
    group by stretch order by 1`.execute(db);
  return rows.map(({ from, to }) => [from, to]);
}

/** Returns the selected ones of all images that match. `facts`: further facts of a refusal. */
function checkMatching(
  all: readonly Range[],
  { except = [], total, digest }: Selector,
  facts: Record<string, number> = {},
): Range[] {
  const ranges = withoutIds(all, except);
  const now = { ...factsOf(all, ranges), ...facts };
  if (total !== undefined && total !== now.total)
    throw changedMatches(
      `The list has changed since it was loaded: ${imagesText(now.total)} match now, not ${total}. Nothing was changed. Try again with the new number.`,
      now,
    );
  if (digest !== undefined && digest !== now.digest)
    throw changedMatches(
      "The list has changed since it was loaded: as many images match now, but not the same ones. Nothing was changed. Try again.",
      now,
    );
  return ranges;
}

const imagesText = (count: number) => `${count} ${count === 1 ? "image" : "images"}`;

const changedMatches = (message: string, facts: Record<string, number>): HttpError =>
  new HttpError(409, message, { code: "total_changed", facts });
