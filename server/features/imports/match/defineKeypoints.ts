import type { Kysely } from "kysely";
import { toStored, toWire } from "../../../../shared/rules/keypointDefinition";
import type { CurrentUser } from "../../../base/permissions";
import type { CategoryRow, Schema } from "../../../db/schema";
import type { ReadDefinition } from "../read/readCategory";

/** Replaces a category's keypoints and adds the change to its history. Returns the row's new values. */
export async function defineKeypoints(
  trx: Kysely<Schema>,
  user: CurrentUser,
  category: Pick<CategoryRow, "id" | "keypoints" | "revision">,
  definition: ReadDefinition,
): Promise<Pick<CategoryRow, "keypoints" | "revision">> {
  const keypoints = toStored(category.keypoints, definition);
  const revision = category.revision + 1;
  const fields = toWire(keypoints);
  await trx
    .updateTable("categories")
    .set({ keypoints: JSON.stringify(keypoints), revision })
    .where("id", "=", category.id)
    .execute();
  await trx
    .insertInto("edit_history")
    .values({
      subject: "category",
      subject_id: String(category.id),
      revision,
      action: "modify",
      fields: JSON.stringify(fields),
      user_id: user.id,
      user_name: user.username,
    })
    .execute();
  return { keypoints, revision };
}
