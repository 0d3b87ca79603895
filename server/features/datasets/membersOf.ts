import type { Kysely } from "kysely";
import type { Member } from "../../../shared/entities/member";
import type { DatasetRow, Schema } from "../../db/schema";

/**
 * Returns a dataset's members: the owner first, then the users it is shared with, by name. Other admins are not
 * included.
 */
export async function membersOf(db: Kysely<Schema>, dataset: Pick<DatasetRow, "id" | "owner_id">): Promise<Member[]> {
  const rows = await db
    .selectFrom("users")
    .leftJoin("dataset_members", (join) =>
      join.onRef("user_id", "=", "users.id").on("dataset_members.dataset_id", "=", dataset.id),
    )
    .select(["id", "username", "name", "is_admin", "last_seen", "role"])
    .where("closed_at", "is", null)
    .where((eb) => eb.or([eb("id", "=", dataset.owner_id), eb("dataset_members.user_id", "is not", null)]))
    .orderBy((eb) => eb.fn<string>("lower", ["username"]))
    .execute();
  const isOwner = (row: { id: number }) => row.id === dataset.owner_id;
  return [...rows.filter(isOwner), ...rows.filter((row) => !isOwner(row))].map((row) => ({
    username: row.username,
    name: row.name,
    group: isOwner(row) ? "Owner" : row.is_admin ? "Admin" : "Member",
    role: isOwner(row) ? null : row.role,
    is_admin: row.is_admin,
    last_seen: row.last_seen && { $date: row.last_seen.getTime() },
    last_seen_at: row.last_seen?.toISOString() ?? null,
  }));
}

/** Returns the ids of the users to whom a dataset's images can be assigned, by username: all but viewers. */
export async function assignableIds(
  db: Kysely<Schema>,
  dataset: Pick<DatasetRow, "id" | "owner_id">,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "username"])
    .where("closed_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("id", "=", dataset.owner_id),
        eb(
          "id",
          "in",
          eb
            .selectFrom("dataset_members")
            .select("user_id")
            .where("dataset_id", "=", dataset.id)
            .where("role", "!=", "viewer"),
        ),
      ]),
    )
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}
