import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import type { updateCategory as updateCall } from "../../../shared/api/category";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { CategoryInput } from "../../../shared/entities/category";
import type { KeypointDefinition } from "../../../shared/entities/keypoint";
import type { Metadata } from "../../../shared/entities/scalars";
import { KeypointError, toStored, toWire } from "../../../shared/rules/keypointDefinition";
import { badRequest, codeOf, conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { CategoryRow, Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { ownedCategory } from "../access/access";

type Change = Pick<CategoryRow, "name" | "supercategory" | "color" | "metadata" | "keypoints" | "attributes">;

/**
 * Changes the given fields of a category, for its creator and admins. Raises the revision and records the new values in
 * the history, so that a pending edit of an older revision is recognized. `changed` is false if nothing differs. Throws
 * 409 if `keypoints_before` or `attributes_before` is given and is no longer what is stored.
 */
export async function updateCategory(
  db: Kysely<Schema>,
  user: CurrentUser,
  categoryId: number,
  {
    keypoints_before: seen,
    attributes_before: known,
    set_metadata: set = {},
    remove_metadata: remove = [],
    label_ids: ids,
    ...input
  }: BodyOf<typeof updateCall>,
): Promise<{ row: CategoryRow; changed: boolean }> {
  return transaction(db, async (trx) => {
    await sql`select from categories where id = ${categoryId} for update`.execute(trx);
    const before = await ownedCategory(trx, user, categoryId, "You do not have permission to update this category");
    if (seen && !isDeepStrictEqual(seen, toWire(before.keypoints))) throw conflict(OTHER_KEYPOINTS);
    if (known && !isDeepStrictEqual(known, before.attributes)) throw conflict(OTHER_ATTRIBUTES);
    const after: Change = {
      name: input.name?.trim() ?? before.name,
      supercategory: input.supercategory?.trim() ?? before.supercategory,
      color: input.color ?? before.color,
      metadata: input.metadata ?? withEntries(before.metadata, set, remove),
      keypoints: keypointsAfter(before.keypoints, input, ids),
      attributes: input.attributes ?? before.attributes,
    };
    const fields = changedFields(before, after);
    if (Object.keys(fields).length === 0) return { row: before, changed: false };
    const row = await updateRow(trx, before, after);
    await recordHistory(trx, row, fields, user);
    return { row, changed: true };
  });
}

function withEntries(metadata: Metadata, set: Metadata, remove: readonly string[]): Metadata {
  const kept = Object.entries(metadata).filter(([key]) => !remove.includes(key));
  return { ...Object.fromEntries(kept), ...set };
}

const OTHER_KEYPOINTS = "Another user has changed the keypoints in the meantime. Close the form and open it again.";
const OTHER_ATTRIBUTES = "Another user has changed the attributes in the meantime. Close the form and open it again.";

/** Returns the definition with the given fields replaced. Throws 400 if it breaks a rule. */
export function keypointsAfter(
  previous: KeypointDefinition,
  input: Partial<CategoryInput>,
  ids?: readonly (number | null)[],
): KeypointDefinition {
  const { keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors } = input;
  if (!labels && !edges && !colors) return previous;
  try {
    return toStored(previous, { labels, edges, colors, ids });
  } catch (error) {
    if (error instanceof KeypointError) throw badRequest(error.message, { [error.path]: error.message });
    throw error;
  }
}

/** Returns the changed fields by their names in the API. */
function changedFields(before: Change, after: Change): Record<string, unknown> {
  const old = apiFields(before);
  return Object.fromEntries(
    Object.entries(apiFields(after)).filter(([key, value]) => !isDeepStrictEqual(value, old[key])),
  );
}

function apiFields({ keypoints, ...rest }: Change): Record<string, unknown> {
  const { name, supercategory, color, metadata, attributes } = rest;
  return { name, supercategory, color, metadata, ...toWire(keypoints), attributes };
}

async function updateRow(trx: Kysely<Schema>, before: CategoryRow, after: Change): Promise<CategoryRow> {
  return trx
    .updateTable("categories")
    .set({
      ...after,
      metadata: JSON.stringify(after.metadata),
      keypoints: JSON.stringify(after.keypoints),
      attributes: JSON.stringify(after.attributes),
      revision: before.revision + 1,
    })
    .where("id", "=", before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (codeOf(error) !== "23505") throw error;
      const message = `Category '${after.name}' already exists`;
      throw conflict(message, { name: message });
    });
}

async function recordHistory(
  trx: Kysely<Schema>,
  row: CategoryRow,
  fields: Record<string, unknown>,
  user: CurrentUser,
): Promise<void> {
  await trx
    .insertInto("edit_history")
    .values({
      subject: "category",
      subject_id: String(row.id),
      revision: row.revision,
      action: "modify",
      fields: JSON.stringify(fields),
      user_id: user.id,
      user_name: user.username,
    })
    .execute();
}
