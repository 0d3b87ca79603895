import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { forbidden, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";

type Tasks = ExpressionBuilder<Schema, "tasks">;

/**
 * Selects the tasks that a user may see: the user's own, those of datasets that the user owns or maintains, and those
 * that the user follows after requesting the same work. Admins and `anonymous` see all.
 */
export function visibleTasks(db: Kysely<Schema>, user: CurrentUser) {
  return db
    .selectFrom("tasks")
    .leftJoin("users", "users.id", "tasks.creator_id")
    .selectAll("tasks")
    .select("users.username as creator")
    .where((eb: Tasks) => eb.or([isOf(eb, user), isFollowedBy(eb, user)]));
}

/** Returns a task that the user may see. Throws 404 for others. */
export async function visibleTask(db: Kysely<Schema>, user: CurrentUser, taskId: number) {
  const row = await visibleTasks(db, user).where("tasks.id", "=", taskId).executeTakeFirst();
  if (!row) throw notFound("Invalid task id");
  return row;
}

/**
 * Returns a task that the user may cancel and delete. Throws 404, or 403 for another user's task that this user only
 * follows.
 */
export async function ownTask(db: Kysely<Schema>, user: CurrentUser, taskId: number) {
  const { id } = await visibleTask(db, user, taskId);
  const own = await db
    .selectFrom("tasks")
    .select("tasks.id")
    .where((eb: Tasks) => eb.and([eb("tasks.id", "=", id), isOf(eb, user)]))
    .executeTakeFirst();
  if (!own) throw forbidden("This task was started by another user.");
  return own;
}

function isOf(eb: Tasks, user: CurrentUser) {
  if (user.isAdmin || user.anonymous) return sql<SqlBool>`true`;
  const datasets = eb.selectFrom("datasets").select("datasets.id").where("datasets.owner_id", "=", user.id);
  const maintained = eb
    .selectFrom("dataset_members")
    .select("dataset_id")
    .where("user_id", "=", user.id)
    .where("role", "=", "maintainer");
  return eb.or([
    eb("tasks.creator_id", "=", user.id),
    eb("tasks.dataset_id", "in", datasets),
    eb("tasks.dataset_id", "in", maintained),
  ]);
}

const isFollowedBy = (eb: Tasks, user: CurrentUser) =>
  eb.exists(
    eb
      .selectFrom("task_followers")
      .select("task_id")
      .whereRef("task_followers.task_id", "=", "tasks.id")
      .where("task_followers.user_id", "=", user.id),
  );
