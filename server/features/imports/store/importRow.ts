import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { pixels } from "../../../../shared/api/dataset";
import type { CurrentUser } from "../../../base/permissions";
import type { Schema } from "../../../db/schema";
import type { Files } from "../../../files/files";
import type { Live } from "../../../live/live";
import type { TaskHelpers } from "../../../queue/task";
import { currentUserOf } from "../../access/identity";
import { fileFormat } from "../formats/fileFormat";
import type { CategoryMatch } from "../match/matchCategories";

/**
 * An import's state is a decision, and its rows follow. running: rows are being stored, invisible. complete: all are
 * stored, and are to be shown. undone: they are to go to the trash. failed: they are to be removed. What a kill leaves
 * of the following is done when the task runs again, or by `tidyImports`.
 */
export type ImportRow = Selectable<Schema["imports"]>;

/** Services for an import's task. */
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

/** Outcomes of the file's categories, as the report keeps them. */
export const matchesIn = ({ report }: Pick<ImportRow, "report">): CategoryMatch[] =>
  (report.categories ?? []) as unknown as CategoryMatch[];

/** Marks that the rows of an import have followed its state, so that no later start looks again. */
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
  if (!user) throw new Error("The account that asked for this was deleted.");
  return user;
}

/** The same; undefined when the account is gone. */
export async function findCurrentUser(db: Kysely<Schema>, userId: number | null): Promise<CurrentUser | undefined> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", userId)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  return row && { ...currentUserOf(row), anonymous: row.username === "anonymous" };
}
