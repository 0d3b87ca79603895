import type { Transaction } from "kysely";
import { type Edit, type EditAnswer, type EditBatch, edit as editSchema } from "../../../shared/edits/edit";
import { reasonFor, withField } from "../../../shared/rules/reasonFor";
import { readInstallation } from "../../db/installation";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { forbidden, otherInstallation, unauthorized } from "../../errors";
import type { Person } from "../../permissions";
import type { Services } from "../../services";
import { refused } from "./planEdits";
import { storeEdits } from "./storeEdits";
import { storePreferences } from "./storePreferences";
import { storeSessions } from "./storeSessions";

/**
 * Stores what one tab has kept: edits, time at work, preferences, in one transaction. Each edit is answered on its own,
 * in their order; one that cannot be read or stored hinders no other. What was stored is told to the pictures' rooms
 * after commit. Sending a batch again does no harm. Throws 409 when the
 * edits were made for another installation, 401 when they are another user's, 403 when the client's name is.
 * `isFromPage`: one of our own pages sends it.
 */
export async function storeBatch(
  { db, live }: Pick<Services, "db" | "live">,
  person: Person,
  batch: EditBatch,
  isFromPage = false,
): Promise<EditAnswer[]> {
  const parsed = batch.edits.map(parseEdit);
  const edits = parsed.flatMap((each) => ("edit" in each ? [each.edit] : []));
  const sessions = batch.sessions ?? [];
  const { answers, events } = await transaction(db, async (trx) => {
    await requireInstallation(trx, batch, isFromPage);
    if (batch.user && batch.user !== person.id) throw unauthorized("These edits are another user's.");
    await claimClient(trx, person, batch.client);
    const author = { person, client: batch.client };
    const stored = await storeEdits(
      trx,
      author,
      edits,
      sessions.map((session) => session.image_id),
    );
    await storeSessions(trx, person, sessions);
    if (batch.preferences) await storePreferences(trx, person, batch.preferences);
    return stored;
  });
  for (const event of events) live.tellImage(event);
  let next = 0;
  return parsed.map((each) => ("edit" in each ? (answers[next++] ?? refused(each.edit.uuid, "Lost")) : each.answer));
}

/**
 * A page of an earlier version names no installation. It may have been open through an update, but a database that was
 * restored, or began with this version, it does not know. Scripts may leave the id out: they say themselves what they mean.
 */
async function requireInstallation(
  trx: Transaction<Schema>,
  { installation }: EditBatch,
  isFromPage: boolean,
): Promise<void> {
  if (!installation && !isFromPage) return;
  const { id, origin } = await readInstallation(trx);
  if (installation ? installation !== id : origin !== "updated") throw otherInstallation();
}

function parseEdit(value: unknown): { edit: Edit } | { answer: EditAnswer } {
  const { data, error } = editSchema.safeParse(value, { error: reasonFor });
  if (data) return { edit: data };
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".").slice(0, 100);
  const reason = issue?.message ?? "Invalid edit";
  return { answer: refused(nameOf(value), path ? withField(path, reason) : reason) };
}

/** What the sender calls an edit that cannot be read. */
function nameOf(value: unknown): string {
  const name = typeof value === "object" && value !== null && "uuid" in value ? value.uuid : "";
  return typeof name === "string" ? name.slice(0, 100) : "";
}

/** A client is one tab of one user: its name belongs to who used it first. */
async function claimClient(trx: Transaction<Schema>, person: Person, client: string): Promise<void> {
  const owner = await ownerOf(trx, client);
  if (owner?.user_id === person.id) return;
  if (owner) throw forbidden("This client belongs to another user.");
  await trx
    .insertInto("clients")
    .values({ id: client, user_id: person.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await ownerOf(trx, client))?.user_id !== person.id) throw forbidden("This client belongs to another user.");
}

function ownerOf(trx: Transaction<Schema>, client: string) {
  return trx.selectFrom("clients").select("user_id").where("id", "=", client).executeTakeFirst();
}
