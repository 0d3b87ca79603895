import { sql, type Transaction } from "kysely";
import type { shareDataset as shareCall } from "../../../shared/api/datasets/datasetMembers";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { DEFAULT_ROLE, type MemberRole } from "../../../shared/entities/member";
import { badRequest, forbidden } from "../../base/errors";
import { type CurrentUser, isOwner } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { managedDataset } from "../access/access";
import { freeImages } from "../assignment/freeImages";
import type { Services } from "../services";

/**
 * Changes a dataset's members: `users` is the complete new list; `add` and `remove` are changes to the current one.
 * `roles` sets the roles of members by username. The others keep theirs, and new members become annotators. Throws 400
 * naming the users that do not exist or are no members, and 403 if a maintainer makes or removes a maintainer, which
 * only the owner and admins may do. The owner is never listed as a member. Users who are
 * removed or become viewers lose the images that are assigned to them and not accepted.
 */
export async function shareDataset(
  { db, live }: Services,
  caller: CurrentUser,
  datasetId: number,
  { users, add = [], remove = [], roles = {} }: BodyOf<typeof shareCall>,
): Promise<void> {
  const { removed, changed, freed } = await transaction(db, async (trx) => {
    await sql`select from datasets where id = ${datasetId} for update`.execute(trx);
    const dataset = await managedDataset(trx, caller, datasetId, "You do not have permission to share this dataset");
    const before = await rolesIn(trx, datasetId);
    const known = await idsOf(trx, [...(users ?? add), ...remove, ...Object.keys(roles)]);
    const added = requireAll(known, users ?? add).filter((id) => id !== dataset.owner_id);
    const gone = new Set(users ? before.keys() : normalised(remove).map((name) => known.get(name)));
    const kept = [...before].filter(([id]) => !gone.has(id) || added.includes(id));
    const after = new Map<number, MemberRole>(kept);
    for (const id of added) if (!after.has(id)) after.set(id, DEFAULT_ROLE);
    for (const [username, role] of Object.entries(roles)) {
      const [id = 0] = requireAll(known, [username]);
      if (!after.has(id)) throw wrong(`${username} is not a member of this dataset.`);
      after.set(id, role);
    }
    if (!isOwner(caller, dataset) && maintainersOf(before) !== maintainersOf(after)) throw forbidden(ONLY_OWNER);
    await store(trx, datasetId, before, after);
    const removed = [...before.keys()].filter((id) => !after.has(id));
    const changed = [...after.keys()].filter((id) => before.has(id) && before.get(id) !== after.get(id));
    const freed = [...removed, ...changed.filter((id) => after.get(id) === "viewer")];
    await freeImages(trx, datasetId, freed);
    return { removed, changed, freed };
  });
  for (const userId of removed) live.leaveDataset(userId, datasetId);
  for (const userId of changed) live.notifyRole(userId, datasetId);
  if (freed.length > 0) live.notifyWork(datasetId, freed, "assignments");
}

const ONLY_OWNER = "Only the owner can make and remove maintainers";

type Roles = ReadonlyMap<number, MemberRole>;

async function rolesIn(trx: Transaction<Schema>, datasetId: number): Promise<Roles> {
  const rows = await trx
    .selectFrom("dataset_members")
    .select(["user_id", "role"])
    .where("dataset_id", "=", datasetId)
    .execute();
  return new Map(rows.map(({ user_id, role }) => [user_id, role]));
}

/** Returns the ids of the maintainers as text, for comparing. */
const maintainersOf = (roles: Roles): string =>
  [...roles]
    .flatMap(([id, role]) => (role === "maintainer" ? [id] : []))
    .sort((a, b) => a - b)
    .join();

async function store(trx: Transaction<Schema>, datasetId: number, before: Roles, after: Roles): Promise<void> {
  await sql`
    delete from dataset_members where dataset_id = ${datasetId} and not user_id = any(${[...after.keys()]}::integer[])`.execute(
    trx,
  );
  const changed = [...after].filter(([id, role]) => before.get(id) !== role);
  const ids = changed.map(([id]) => id);
  const roles = changed.map(([, role]) => role);
  await sql`
    insert into dataset_members (dataset_id, user_id, role)
    select ${datasetId}, * from unnest(${ids}::integer[], ${roles}::text[])
    on conflict (dataset_id, user_id) do update set role = excluded.role`.execute(trx);
}

const normalised = (usernames: readonly string[]): string[] =>
  [...new Set(usernames.map((name) => name.trim().toLowerCase()))].filter(Boolean);

/** Returns the ids of the users that exist, by username in lower case. */
async function idsOf(trx: Transaction<Schema>, usernames: readonly string[]): Promise<Map<string, number>> {
  const users = await trx
    .selectFrom("users")
    .select(["id", sql<string>`lower(username)`.as("username")])
    .where(sql<boolean>`lower(username) = any(${normalised(usernames)}::text[])`)
    .where("username", "!=", "anonymous")
    .execute();
  return new Map(users.map(({ id, username }) => [username, id]));
}

/** Returns the ids of all these users. Throws 400 naming those that do not exist. */
function requireAll(known: ReadonlyMap<string, number>, usernames: readonly string[]): number[] {
  const wanted = normalised(usernames);
  const unknown = wanted.filter((name) => !known.has(name));
  if (unknown.length > 0) throw wrong(`No such user: ${unknown.slice(0, 10).join(", ")}.`);
  return wanted.map((name) => known.get(name) ?? 0);
}

const wrong = (message: string) => badRequest(message, { users: message });
