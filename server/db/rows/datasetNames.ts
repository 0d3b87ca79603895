import { type Kysely, sql } from "kysely";
import { codeOf } from "../../base/errors";
import type { Schema } from "../schema";

/** A name that a dataset of this owner is to get. */
export interface WantedName {
  name: string;
  ownerId: number | null;
  /** Dataset that gets the name; absent if it is new. */
  datasetId?: number;
}

/** A dataset that stands in the way of a name: live or in the trash. */
export type Obstacle = "live" | "deleted";

/** Returns the state of another dataset that has this name and this owner; undefined if there is none. */
export async function obstacleTo(
  db: Kysely<Schema>,
  { name, ownerId, datasetId = 0 }: WantedName,
): Promise<Obstacle | undefined> {
  if (ownerId === null) return undefined;
  const row = await db
    .selectFrom("datasets")
    .select("deleted_at")
    .where(sql<boolean>`owner_id = ${ownerId} and fold_name(name) = fold_name(${name}) and purged_at is null`)
    .where("id", "!=", datasetId)
    .orderBy(sql`deleted_at is not null`)
    .executeTakeFirst();
  return row && (row.deleted_at ? "deleted" : "live");
}

/** Returns true for the database's error about this unique index. */
export function isConflictOn(error: unknown, index: string): boolean {
  return codeOf(error) === "23505" && error instanceof Error && "constraint" in error && error.constraint === index;
}
