import { type Kysely, sql } from "kysely";
import { codeOf, conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { listCategories } from "../../db/rows/categories";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Files } from "../../files/files";
import { categoriesByName } from "../categories/categoriesByName";

const TRIES = 3;

/** Creates a dataset with its folder and returns its id. Throws 409 if the name is taken, also by a deleted dataset. */
export async function createDataset(
  db: Kysely<Schema>,
  { images }: Files,
  user: CurrentUser,
  name: string,
  categoryNames: string[],
): Promise<number> {
  if (await isNameTaken(db, name)) throw datasetExists();
  for (let tries = 1; ; tries++) {
    const folder = await images.makeFolder(name, (wanted) => isFolderTaken(db, wanted));
    try {
      return await insert(db, user, { name, folder, categoryNames });
    } catch (error) {
      if (isConflictOn(error, "datasets_name")) throw datasetExists();
      // Another request has just taken the folder, for a dataset with a similar name.
      if (!isConflictOn(error, "datasets_folder_key") || tries === TRIES) throw error;
    }
  }
}

function insert(
  db: Kysely<Schema>,
  user: CurrentUser,
  { name, folder, categoryNames }: { name: string; folder: string; categoryNames: string[] },
): Promise<number> {
  return transaction(db, async (trx) => {
    const { id } = await trx
      .insertInto("datasets")
      .values({ name, folder, owner_id: user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await listCategories(trx, id, await categoriesByName(trx, user, categoryNames, id));
    return id;
  });
}

const isNameTaken = (db: Kysely<Schema>, name: string) =>
  exists(db, sql`fold_name(name) = fold_name(${name}) and purged_at is null`);
const isFolderTaken = (db: Kysely<Schema>, folder: string) => exists(db, sql`fold_name(folder) = fold_name(${folder})`);

async function exists(db: Kysely<Schema>, condition: ReturnType<typeof sql>): Promise<boolean> {
  const row = await db.selectFrom("datasets").select("id").where(sql<boolean>`${condition}`).executeTakeFirst();
  return row !== undefined;
}

function isConflictOn(error: unknown, constraint: string): boolean {
  return (
    codeOf(error) === "23505" && error instanceof Error && "constraint" in error && error.constraint === constraint
  );
}

const EXISTS = "Dataset already exists. Check the undo tab to fully delete the dataset.";
const datasetExists = () => conflict(EXISTS, { name: EXISTS });
