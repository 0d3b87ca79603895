import type { Transaction } from "kysely";
import type { EditAnswer, EditBatch } from "../../../shared/edits/edit";
import type { AnnotationEvent } from "../../../shared/events";
import { forbidden, otherInstallation, unauthorized } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { readInstallation } from "../../db/installation";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { keepTexts } from "../../threads/jsonInTurns";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { concernedUsers } from "../assignment/concernedUsers";
import { finishLeases } from "../assignment/finishLeases";
import { renew } from "../assignment/leases";
import { notifyCategories } from "../categories/notifyCategories";
import { notifyOfComments } from "../comments/notifyOfComments";
import { noteActivity } from "../images/noteActivity";
import { type Budget, makeBudget, requesterOf, withMeasuring } from "../measuring/measuring";
import type { Services } from "../services";
import { groupsOf } from "./groups";
import { type ParsedEdit, parseEdit } from "./parseEdit";
import { refused } from "./plan/planEdits";
import { readAhead } from "./readAhead";
import { storeEdits } from "./storeEdits";
import { storePreferences } from "./storePreferences";
import { storeSessions } from "./storeSessions";

/** A batch whose edits may be parsed already. Large batches are parsed in a thread. */
type SentBatch = EditBatch & { parsed?: ParsedEdit[] };

/**
 * Stores a tab's pending edits, work sessions and preferences in one transaction; a large batch takes several, so that
 * other requests get their turn. Returns one answer per edit, in order. An edit that cannot be parsed or stored does
 * not affect the others. Notifies the images' rooms after each commit. A batch may safely be sent again. Throws 409 if
 * the edits were made for another installation, 401 if they belong to another user, 403 if the client id does, and 413
 * or 429 if measuring the outlines takes too long (`withMeasuring`). `isFromPage`: the batch was sent by one of Limn's
 * own pages.
 */
export async function storeBatch(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  batch: SentBatch,
  isFromPage = false,
): Promise<EditAnswer[]> {
  const parsed = batch.parsed ?? batch.edits.map(parseEdit);
  const edits = parsed.flatMap((each) => ("edit" in each ? [each.edit] : []));
  await keepTexts(edits);
  const budget = makeBudget();
  const answers: EditAnswer[] = [];
  const groups = groupsOf(edits);
  // Work sessions refer to annotations, which must be stored first.
  const editsOnly: SentBatch = { ...batch, sessions: [], preferences: undefined };
  for (const [i, group] of groups.entries()) {
    const part = { ...(i < groups.length - 1 ? editsOnly : batch), isFromPage };
    answers.push(...(await storeGroup(services, user, part, group, budget)));
  }
  let next = 0;
  return parsed.map((each) => ("edit" in each ? (answers[next++] ?? refused(each.edit.uuid, "Lost")) : each.answer));
}

/** Stores some edits of a batch, with its work sessions and preferences, in one transaction. */
async function storeGroup(
  { db, live }: Pick<Services, "db" | "live">,
  user: CurrentUser,
  batch: SentBatch & { isFromPage: boolean },
  edits: readonly ServerEdit[],
  budget: Budget,
): Promise<EditAnswer[]> {
  const sessions = batch.sessions ?? [];
  const ahead = await readAhead(db, edits);
  const attempt = () =>
    transaction(db, async (trx) => {
      await requireInstallation(trx, batch, batch.isFromPage);
      if (batch.user && batch.user !== user.id) throw unauthorized("These edits belong to another user.");
      await claimClient(trx, user, batch.client);
      const author = { user, client: batch.client };
      const imageIds = sessions.map((session) => session.image_id);
      const stored = await storeEdits(trx, author, edits, imageIds, ahead);
      await storeSessions(trx, user, sessions);
      const moved = await noteWork(trx, user, edits, stored.answers);
      if (batch.preferences) await storePreferences(trx, user, batch.preferences);
      return { ...stored, moved };
    });
  const { answers, events, datasets, comments, moved } = await withMeasuring(requesterOf(user), attempt, { budget });
  for (const event of fewEvents(events)) live.notifyImageRoom(event);
  await notifyCategories({ db, live }, changedCategories(edits, answers), { client: batch.client });
  for (const { datasetId, userIds } of await concernedUsers(db, moved))
    live.notifyWork(datasetId, userIds, "assignments");
  await notifyOfComments({ db, live }, user, comments);
  await noteActivity(db, user.id, datasets);
  return answers;
}

/**
 * Renews the user's leases on the images of stored edits, and ends those of images that the edits have finished.
 * Returns the ids of the images that the edits have moved to another stage.
 */
async function noteWork(
  trx: Transaction<Schema>,
  user: CurrentUser,
  edits: readonly ServerEdit[],
  answers: readonly EditAnswer[],
): Promise<number[]> {
  const stored = edits.filter((_, at) => answers[at]?.status === "applied");
  const moving = stored.filter(
    (edit) => edit.subject === "image" && (edit.after.done ?? edit.after.stage) !== undefined,
  );
  const moved = [...new Set(moving.map((edit) => edit.image_id))];
  await renew(trx, user.id, [...new Set(stored.map((edit) => edit.image_id))]);
  await finishLeases(trx, user, moved);
  return moved;
}

/** Returns the ids of categories that stored edits have changed. */
function changedCategories(edits: readonly ServerEdit[], answers: readonly EditAnswer[]): number[] {
  const stored = edits.filter((_, at) => answers[at]?.status === "applied");
  return [...new Set(stored.flatMap((edit) => (edit.subject === "category" ? edit.target : [])))];
}

/** Number of events above which only the last event of each image is sent: the pages then fetch all changes. */
const MANY_EVENTS = 20;

function fewEvents(events: readonly AnnotationEvent[]): readonly AnnotationEvent[] {
  if (events.length <= MANY_EVENTS) return events;
  return [...new Map(events.map((event) => [event.image_id, event])).values()];
}

/**
 * Throws 409 if a batch was made for another installation. Pages of earlier versions send no id. Such pages may have
 * stayed open during an update, but cannot belong to a database that was restored or created by this version. Scripts
 * may omit the id.
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

/** Registers a client id, which belongs to the first user who used it. Throws 403 for another user's id. */
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
