import type { Kysely } from "kysely";
import type { Schema } from "../db/schema";
import { notFound } from "../errors";
import type { Person } from "../permissions";

/** The tasks that a person sees: own ones and those of own datasets; admins see all. */
export function visibleTasks(db: Kysely<Schema>, person: Person) {
  return db
    .selectFrom("tasks")
    .leftJoin("users", "users.id", "tasks.creator_id")
    .selectAll("tasks")
    .select("users.username as creator")
    .$if(!person.isAdmin && !person.anonymous, (query) =>
      query.where((eb) =>
        eb.or([
          eb("tasks.creator_id", "=", person.id),
          eb(
            "tasks.dataset_id",
            "in",
            eb.selectFrom("datasets").select("datasets.id").where("datasets.owner_id", "=", person.id),
          ),
        ]),
      ),
    );
}

/** One task that the person sees, cancels and deletes. */
export async function visibleTask(db: Kysely<Schema>, person: Person, taskId: number) {
  const row = await visibleTasks(db, person).where("tasks.id", "=", taskId).executeTakeFirst();
  if (!row) throw notFound("Invalid task id");
  return row;
}
