import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import type { updateCategory as updateCall } from "../../../shared/api/category";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { CategoryInput } from "../../../shared/entities/category";
import type { KeypointDefinition } from "../../../shared/entities/keypoint";
import { KeypointError, toStored, toWire } from "../../../shared/rules/keypointDefinition";
import { badRequest, codeOf, conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { CategoryRow, Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { ownedCategory } from "../access/access";

type Change = Pick<CategoryRow, "name" | "supercategory" | "color" | "metadata" | "keypoints">;

/**
 * Changes what was sent of a category, for its creator and admins. The revision rises and the history keeps the new
 * values, so that an edit made before is seen to be late. Undefined when nothing differs. Throws 409 for keypoints that
 * were made of others than it has now.
 */
export async function updateCategory(
  db: Kysely<Schema>,
  user: CurrentUser,
  categoryId: number,
  { keypoints_before: seen, ...input }: BodyOf<typeof updateCall>,
): Promise<{ row: CategoryRow; changed: boolean }> {
  return transaction(db, async (trx) => {
    await sql`select from categories where id = ${categoryId} for update`.execute(trx);
    const before = await ownedCategory(trx, user, categoryId, "You do not have permission to update this category");
    if (seen && !isDeepStrictEqual(seen, toWire(before.keypoints))) throw conflict(OTHER_KEYPOINTS);
    const after: Change = {
      name: input.name?.trim() ?? before.name,
      supercategory: input.supercategory?.trim() ?? before.supercategory,
      color: input.color ?? before.color,
      metadata: input.metadata ?? before.metadata,
      keypoints: keypointsAfter(before.keypoints, input),
    };
    const fields = changedFields(before, after);
    if (Object.keys(fields).length === 0) return { row: before, changed: false };
    const row = await store(trx, before, after);
    await remember(trx, row, fields, user);
    return { row, changed: true };
  });
}

const OTHER_KEYPOINTS = "Another user has changed the keypoints meanwhile. Close the form and open it again.";

/** Throws 400 for a definition that breaks a rule. */
export function keypointsAfter(previous: KeypointDefinition, input: Partial<CategoryInput>): KeypointDefinition {
  const { keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors } = input;
  if (!labels && !edges && !colors) return previous;
  try {
    return toStored(previous, { labels, edges, colors });
  } catch (error) {
    if (error instanceof KeypointError) throw badRequest(error.message, { [error.path]: error.message });
    throw error;
  }
}

/** The changed fields in the words of the wire. */
function changedFields(before: Change, after: Change): Record<string, unknown> {
  const old = wireFields(before);
  return Object.fromEntries(
    Object.entries(wireFields(after)).filter(([key, value]) => !isDeepStrictEqual(value, old[key])),
  );
}

function wireFields({ keypoints, ...rest }: Change): Record<string, unknown> {
  const { name, supercategory, color, metadata } = rest;
  return { name, supercategory, color, metadata, ...toWire(keypoints) };
}

async function store(trx: Kysely<Schema>, before: CategoryRow, after: Change): Promise<CategoryRow> {
  return trx
    .updateTable("categories")
    .set({
      ...after,
      metadata: JSON.stringify(after.metadata),
      keypoints: JSON.stringify(after.keypoints),
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

async function remember(trx: Kysely<Schema>, row: CategoryRow, fields: Record<string, unknown>, user: CurrentUser) {
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
