import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import { type ChangeKey, recordBefore } from "./before";
import { type Change, changedSince, type Failure } from "./change";
import { groupsOf } from "./seenValues";

type Assignment = Extract<Change, { what: "assign" }> & { annotators: readonly number[] };

/** Replaces usernames with ids; a name that no user has any more gets one that matches nobody. */
export async function assigneesSeen(
  db: Kysely<Schema>,
  seen: readonly { assignee: string | null; ids: number[] }[],
): Promise<{ value: number | null; ids: number[] }[]> {
  const names = seen.flatMap(({ assignee }) => assignee ?? []);
  if (names.length === 0) return seen.map(({ ids }) => ({ value: null, ids }));
  const rows = await db.selectFrom("users").select(["id", "username"]).where("username", "in", names).execute();
  const idOf = new Map(rows.map(({ id, username }) => [username, id]));
  return seen.map(({ assignee, ids }) => ({ value: assignee === null ? null : (idOf.get(assignee) ?? 0), ids }));
}

/**
 * Assigns images, which are sorted by id, to users in turn; to nobody if there are no users. The first image's id
 * decides who begins, so that a task that works in parts favours no user, and a repeat assigns the same. Raises no
 * revision, since nothing on the images changes. Returns the ids of all users who lost or got images, and a failure for
 * each image that another user has assigned since the user saw it, or whose new user is not among `annotators`, the ids
 * of those who may annotate the dataset.
 */
export async function assignImages(
  trx: Transaction<Schema>,
  key: ChangeKey,
  { users, annotators, seen = [] }: Assignment,
  ids: readonly number[],
): Promise<{ assigned: number[]; refused: Failure[] }> {
  const first = ids[0] ?? 0;
  const wanted = sql`(
    select case when ${users.length}::integer > 0
      then (${users}::integer[])[1 + ((n + ${first}::integer) % greatest(1, ${users.length}::integer))::integer] end
    from unnest(${ids}::integer[]) with ordinality as x(id, n) where x.id = images.id)`;
  const changes = sql`id = any(${ids}::integer[]) and assignee_id is distinct from ${wanted}`;
  const seenOf = groupsOf(seen, ids);
  const seenUsers = [...seenOf.values()].map(({ user }) => user);
  const wasAssigned = sql`exists (
    select from unnest(${[...seenOf.keys()]}::integer[], ${seenUsers}::integer[]) as s(image, assignee)
    where s.image = images.id and s.assignee is distinct from assignee_id)`;
  const mayHave = sql<boolean>`(${wanted} is null or ${wanted} = any(${annotators}::integer[]))`;
  const { rows: left } = await sql<{ id: number; path: string; wasAssigned: boolean }>`
    select id, path, ${wasAssigned} as "wasAssigned" from images
    where ${changes} and (${wasAssigned} or not ${mayHave}) order by id`.execute(trx);
  const which = sql`${changes} and not ${wasAssigned} and ${mayHave}`;
  await recordBefore(trx, key, {
    before: sql`jsonb_build_object('assignee', assignee_id)`,
    after: sql`jsonb_build_object('assignee', ${wanted})`,
    which,
  });
  const { rows } = await sql<{ id: number }>`
    select distinct assignee_id as id from images where ${which} and assignee_id is not null`.execute(trx);
  await sql`update images set assignee_id = ${wanted} where ${which}`.execute(trx);
  return {
    assigned: [...annotators, ...rows.map(({ id }) => id)],
    refused: left.map(({ id, path, wasAssigned }) => ({
      id,
      message: wasAssigned
        ? changedSince("assigned user", path)
        : `${path} was not assigned, because its new user may not annotate this dataset any more.`,
    })),
  };
}

/**
 * Returns those of the users who may annotate the dataset, and keeps it so until the transaction ends: a task may begin
 * long after the call that named them.
 */
export async function lockAnnotators(
  trx: Transaction<Schema>,
  datasetId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows: owner } = await sql<{ id: number }>`
    select owner_id as id from datasets where id = ${datasetId}::integer and owner_id = any(${userIds}::integer[])
    for share`.execute(trx);
  const { rows: members } = await sql<{ id: number }>`
    select user_id as id from dataset_members
    where dataset_id = ${datasetId}::integer and user_id = any(${userIds}::integer[]) and role <> 'viewer'
    for share`.execute(trx);
  return [...owner, ...members].map(({ id }) => id);
}
