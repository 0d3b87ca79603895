import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import { listCategories } from "../../db/rows/categories";
import { isConflictOn } from "../../db/rows/datasetNames";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Files } from "../../files/files";
import { categoriesByName } from "../categories/categoriesByName";
import { withFreeName } from "./datasetName";

const TRIES = 3;

/**
 * Creates a dataset with its folder and returns its id. Throws 409 if the user has one of this name, even in the trash.
 */
export async function createDataset(
  db: Kysely<Schema>,
  { images }: Files,
  user: CurrentUser,
  name: string,
  categoryNames: string[],
): Promise<number> {
  return withFreeName(db, user.id, { name, ownerId: user.id }, async () => {
    for (let tries = 1; ; tries++) {
      const folder = await images.makeFolder(name, (wanted) => isFolderTaken(db, wanted));
      try {
        return await insert(db, user, { name, folder, categoryNames });
      } catch (error) {
        // Another request has just taken the folder, for a dataset with a similar name.
        if (!isConflictOn(error, "datasets_folder_key") || tries === TRIES) throw error;
      }
    }
  });
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

/** Returns true if a dataset has this folder, ignoring case. */
export async function isFolderTaken(db: Kysely<Schema>, folder: string): Promise<boolean> {
  const row = await db
    .selectFrom("datasets")
    .select("id")
    .where(sql<boolean>`fold_name(folder) = fold_name(${folder})`)
    .executeTakeFirst();
  return row !== undefined;
}
