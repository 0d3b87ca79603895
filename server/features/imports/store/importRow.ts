import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { pixels } from "../../../../shared/api/datasets/imports";
import type { CurrentUser } from "../../../base/permissions";
import type { Schema } from "../../../db/schema";
import type { Files } from "../../../files/files";
import type { Live } from "../../../live/live";
import type { TaskHelpers } from "../../../queue/task";
import { currentUserOf } from "../../access/identity";
import { fileFormat } from "../formats/fileFormat";
import type { CategoryMatch } from "../match/matchCategories";

/**
 * An import. Its state is set first, and its rows follow. running: invisible rows are being stored. complete: all are
 * stored and will be shown. undone: they will go to the trash. failed: they will be removed. After a kill, the rest is
 * done when the task runs again, or by `tidyImports`.
 */
export type ImportRow = Selectable<Schema["imports"]>;

/** Helpers and services for the tasks of imports. */
export type ImportTools = TaskHelpers & { files: Files; live: Live };

export const importPayload = z.object({
  import_id: z.number(),
  upload: z.string(),
  format: fileFormat.default("COCO"),
  pixels: pixels.optional(),
});
export type ImportPayload = z.infer<typeof importPayload>;

export async function loadImport(db: Kysely<Schema>, id: number): Promise<ImportRow> {
  const row = await db.selectFrom("imports").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw new Error("The dataset was deleted.");
  return row;
}

/** Returns the matches of the file's categories, which are stored in the report. */
export const matchesIn = ({ report }: Pick<ImportRow, "report">): CategoryMatch[] =>
  (report.categories ?? []) as unknown as CategoryMatch[];

/** Marks an import whose rows match its state, so that the server skips it at later starts. */
export async function settle(db: Kysely<Schema>, importId: number): Promise<void> {
  await db
    .updateTable("imports")
    .set({ report: sql`report || '{"settled": true}'` })
    .where("id", "=", importId)
    .execute();
}

/** Returns the user who started a task. Throws if the account is gone. */
export async function currentUserById(db: Kysely<Schema>, userId: number | null): Promise<CurrentUser> {
  const user = await findCurrentUser(db, userId);
  if (!user) throw new Error("The account that started this task was deleted.");
  return user;
}

/** Returns the user who started a task; undefined if the account is gone. */
export async function findCurrentUser(db: Kysely<Schema>, userId: number | null): Promise<CurrentUser | undefined> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", userId)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  return row && { ...currentUserOf(row), anonymous: row.username === "anonymous" };
}
