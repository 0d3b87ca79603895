import type { Transaction } from "kysely";
import type { Edit, EditAnswer, EditBatch } from "../../../shared/edits/edit";
import { forbidden, otherInstallation, unauthorized } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { readInstallation } from "../../db/installation";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { type Budget, makeBudget, takerOf, withMeasuring } from "../measuring/measuring";
import type { Services } from "../services";
import { groupsOf } from "./groups";
import { type ParsedEdit, parseEdit } from "./parseEdit";
import { refused } from "./plan/planEdits";
import { storeEdits } from "./storeEdits";
import { storePreferences } from "./storePreferences";
import { storeSessions } from "./storeSessions";

/** A batch whose edits may have been parsed already: a large one is, in a thread. */
type SentBatch = EditBatch & { parsed?: ParsedEdit[] };

/**
 * Stores what one tab has kept: edits, time at work, preferences, in one transaction, or, where it is much, in several
 * one after another, so that others have their turn. Each edit is answered on its own, in their order; one that cannot
 * be read or stored hinders no other. What was stored is told to the images' rooms after commit. Sending a batch again
 * does no harm. Throws 409 when the edits were made for another installation, 401 when they are another user's, 403 when
 * the client's name is, 413 and 429 where measuring the outlines takes too long (withMeasuring).
 * `isFromPage`: one of our own pages sends it.
 */
export async function storeBatch(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  batch: SentBatch,
  isFromPage = false,
): Promise<EditAnswer[]> {
  const parsed = batch.parsed ?? batch.edits.map(parseEdit);
  const edits = parsed.flatMap((each) => ("edit" in each ? [each.edit] : []));
  const budget = makeBudget();
  const answers: EditAnswer[] = [];
  const groups = groupsOf(edits);
  // Time at work belongs to annotations that are there by then.
  const editsOnly: SentBatch = { ...batch, sessions: [], preferences: undefined };
  for (const [i, group] of groups.entries()) {
    const part = { ...(i < groups.length - 1 ? editsOnly : batch), isFromPage };
    answers.push(...(await storeGroup(services, user, part, group, budget)));
  }
  let next = 0;
  return parsed.map((each) => ("edit" in each ? (answers[next++] ?? refused(each.edit.uuid, "Lost")) : each.answer));
}

/** Some edits of a batch, with its time at work and preferences, in one transaction. */
async function storeGroup(
  { db, live }: Pick<Services, "db" | "live">,
  user: CurrentUser,
  batch: SentBatch & { isFromPage: boolean },
  edits: readonly Edit[],
  budget: Budget,
): Promise<EditAnswer[]> {
  const sessions = batch.sessions ?? [];
  const inOneGo = () =>
    transaction(db, async (trx) => {
      await requireInstallation(trx, batch, batch.isFromPage);
      if (batch.user && batch.user !== user.id) throw unauthorized("These edits are another user's.");
      await claimClient(trx, user, batch.client);
      const author = { user, client: batch.client };
      const imageIds = sessions.map((session) => session.image_id);
      const stored = await storeEdits(trx, author, edits, imageIds);
      await storeSessions(trx, user, sessions);
      if (batch.preferences) await storePreferences(trx, user, batch.preferences);
      return stored;
    });
  const { answers, events } = await withMeasuring(takerOf(user), inOneGo, { budget });
  for (const event of events) live.tellImage(event);
  return answers;
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

/** A client is one tab of one user: its name belongs to who used it first. */
async function claimClient(trx: Transaction<Schema>, user: CurrentUser, client: string): Promise<void> {
  const owner = await ownerOf(trx, client);
  if (owner?.user_id === user.id) return;
  if (owner) throw forbidden("This client belongs to another user.");
  await trx
    .insertInto("clients")
    .values({ id: client, user_id: user.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await ownerOf(trx, client))?.user_id !== user.id) throw forbidden("This client belongs to another user.");
}

function ownerOf(trx: Transaction<Schema>, client: string) {
  return trx.selectFrom("clients").select("user_id").where("id", "=", client).executeTakeFirst();
}
