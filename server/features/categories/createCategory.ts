import type { Kysely, Transaction } from "kysely";
import type { createCategory as createCall } from "../../../shared/api/category";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { MAX_CATEGORY_NAME } from "../../../shared/entities/category";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { conflict, HttpError, unauthorized } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { insertCategory, insertNamedCategories, listCategories, type NewCategory } from "../../db/rows/categories";
import type { CategoryRow, Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { makePause } from "../../threads/makePause";
import { editableDataset } from "../access/access";
import { categoryColors } from "./categoryColor";
import { takeReservedId } from "./reservedIds";
import { keypointsAfter } from "./updateCategory";

/**
 * Creates a category that belongs to the user, and adds it to the dataset if the user may change the dataset. Throws
 * 409 if a category of the user, even a deleted one, has this name (ignoring case), or if the reserved id is not the
 * user's. With a reserved id, a repeat returns the existing category, and a number is appended to a name that is taken.
 * Throws 401 if the body names another user as the author.
 */
export async function createCategory(
  db: Kysely<Schema>,
  user: CurrentUser,
  { reserved: id, dataset: datasetId, user: author, ...input }: BodyOf<typeof createCall>,
): Promise<CategoryRow> {
  if (author != null && author !== user.id) throw unauthorized("This category belongs to another user.");
  const values: NewCategory = {
    name: input.name.trim(),
    supercategory: input.supercategory?.trim() ?? "",
    color: input.color ?? (await categoryColors(db, user)()),
    metadata: input.metadata ?? {},
    keypoints: keypointsAfter(NO_KEYPOINTS, input),
    attributes: input.attributes ?? [],
  };
  return transaction(db, async (trx) => {
    const row = id == null ? await insertCategory(trx, user, values) : await insertWithId(trx, user, values, id);
    if (!row) throw categoryExists();
    if (datasetId != null && (await editsDataset(trx, user, datasetId))) await listCategories(trx, datasetId, [row.id]);
    return row;
  });
}

/** Creates a category with a reserved id, or returns the category that was created with this id before. */
async function insertWithId(
  trx: Transaction<Schema>,
  user: CurrentUser,
  values: NewCategory,
  id: number,
): Promise<CategoryRow> {
  const isReserved = await takeReservedId(trx, user, id);
  if (!isReserved) {
    const made = await trx.selectFrom("categories").selectAll().where("id", "=", id).executeTakeFirst();
    if (!made || made.creator_id !== user.id) throw conflict("This id is not reserved for one of your categories.");
    return made;
  }
  for (let number = 1; ; number++) {
    const name =
      number === 1 ? values.name : `${values.name.slice(0, MAX_CATEGORY_NAME - 10).toWellFormed()} ${number}`;
    const row = await insertCategory(trx, user, { ...values, id, name });
    if (row) return row;
  }
}

const editsDataset = (db: Kysely<Schema>, user: CurrentUser, id: number): Promise<boolean> =>
  editableDataset(db, user, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof HttpError && [403, 404].includes(error.status)) return false;
      throw error;
    },
  );

/** Creates categories that have only a name. Skips names that the user already has. */
export async function createCategories(db: Kysely<Schema>, user: CurrentUser, names: readonly string[]): Promise<void> {
  const newColor = categoryColors(db, user);
  const colors: string[] = [];
  const pause = makePause();
  for (const _ of names) {
    colors.push(await newColor());
    await pause();
  }
  await insertNamedCategories(db, user, names, colors);
}

const EXISTS = "Category already exists. Check the undo tab to fully delete the category.";
export const categoryExists = () => conflict(EXISTS, { name: EXISTS });
