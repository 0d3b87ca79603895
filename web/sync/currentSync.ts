import { plural, t } from "@lingui/core/macro";
import { getUser } from "../../shared/api/accounts/user";
import { sendEdits } from "../../shared/api/annotator";
import { createCategory } from "../../shared/api/category";
import { unreachableError } from "../../shared/api/protocol/requestError";
import { limitedSignal } from "../../shared/async/signals";
import { endsWithin } from "../../shared/async/timeLimit";
import { getReach } from "../io/http/reachability";
import { request } from "../io/http/request";
import { forgetJournal, journalName, noteJournal, type Owner } from "../io/journal/journalName";
import { type Answered, createdCategoryListener, storedEditsListener } from "../io/journal/storedEdits";
import { beforeLogout } from "../io/logout";
import { askBeforeClosing } from "./askBeforeClosing";
import { isShutOut } from "./journal/syncState";
import { aboutLength } from "./push/aboutLength";
import type { Send } from "./push/push";
import type { CreateCategory } from "./push/pushCategories";
import { withShortMoves } from "./push/shortMoves";
import { Sync } from "./push/sync";
import { Review } from "./review/review";
import { storageText } from "./storageText";

/** Time that a logout waits for the last edits to be sent, in milliseconds. */
const LAST_TRY_MS = 3000;
/**
 * Time limit for the response to a batch, in milliseconds. Time for its transfer is added, at the speed of the slowest
 * line, which another batch may share.
 */
const RESPONSE_MS = 30_000;
const CHARACTERS_PER_MS = 2;

interface Opened {
  owner: Owner;
  sync: Sync;
  review: Review;
  /** Ends the requests of the sync. New with each login. */
  turn: { end: AbortController };
  stops: (() => void)[];
}

/** Maximum wait for the listener to stored edits, in milliseconds: the storage of some browsers never responds. */
const KEEP_MS = 4_000;

let current: Opened | undefined;
/**
 * Syncs of other users, and of installations that were replaced while images were open. They send nothing, but still
 * record edits that were being drawn, and may have edits that are only in memory.
 */
const left: Opened[] = [];

/**
 * Returns the sync of the user in this tab. The first call opens it and sends the edits that earlier pages left in the
 * journal. Holds another user's sync first, so that no user sends another user's edits. A user who logs in again gets
 * the same sync, which then continues to send. If the installation has changed, the edits of the old one stay for
 * review.
 */
export function syncOf(owner: Owner): Sync {
  return currentOf(owner).sync;
}

/** Returns the review of changes that the same user made on other installations. */
export function reviewOf(owner: Owner): Review {
  return currentOf(owner).review;
}

function currentOf(owner: Owner): Opened {
  const name = journalName(owner);
  if (current && journalName(current.owner) === name) {
    resume(current.sync);
    return current;
  }
  leaveCurrent(owner);
  noteJournal(name);
  const known = left.find((each) => journalName(each.owner) === name);
  current = known ? reopen(known) : open(owner);
  return current;
}

function open(owner: Owner): Opened {
  const turn = { end: new AbortController() };
  const signal = () => turn.end.signal;
  const keep = (answered: readonly Answered[]) => keepInTime(owner, answered);
  const sync = new Sync(journalName(owner), senderFor(owner, signal), keep, creatorFor(owner, signal));
  const opened: Opened = { owner, sync, review: new Review(owner, sync), turn, stops: [] };
  const { username } = owner;
  const unregister = beforeLogout({ username, warning: () => warning(opened), wipe: () => wipe(opened) });
  const stopAsking = askBeforeClosing(() => isOnlyInMemory(sync));
  opened.stops.push(unregister, stopAsking, () => turn.end.abort());
  return opened;
}

/** Lets a sync that was left send again. */
function reopen(opened: Opened): Opened {
  left.splice(left.indexOf(opened), 1);
  opened.turn.end = new AbortController();
  opened.review = new Review(opened.owner, opened.sync);
  opened.sync.release();
  return opened;
}

/** Passes stored edits to the listener. A failure loses no edit: only the user's copy gets it later. */
async function keepInTime(owner: Owner, answered: readonly Answered[]): Promise<void> {
  const listener = storedEditsListener();
  if (listener) await endsWithin(KEEP_MS, listener(owner, answered)).catch(() => false);
}

/**
 * Returns the function that sends batches. A server that does not respond in time counts as unreachable, since no tab
 * can send anything else until then. Edits that it stored nevertheless are recognised when they are sent again.
 */
function senderFor({ userId, installation }: Owner, signal: () => AbortSignal): Send {
  return async (batch) => {
    // The sync is woken when the server returns. A call on a dead connection would hold up all edits for its whole time
    // limit.
    if (getReach() === "away") throw unreachableError(sendEdits.title);
    const send = withShortMoves(async (edits) => {
      const body = { ...batch, edits: [...edits], user: userId, ...(installation && { installation }) };
      const patienceMs = RESPONSE_MS + aboutLength(body) / CHARACTERS_PER_MS;
      const limit = limitedSignal(signal(), patienceMs);
      try {
        return await request(sendEdits, { body }, { signal: limit.signal, outlivesSession: true, patienceMs });
      } catch (error) {
        if (limit.signal.aborted) throw unreachableError(sendEdits.title);
        return await rethrow(error, userId, limit.signal);
      } finally {
        limit.stop();
      }
    });
    return send(batch.edits);
  };
}

/** Returns the function that sends categories created offline, with the same time limit as for edits. */
function creatorFor(owner: Owner, signal: () => AbortSignal): CreateCategory {
  return async ({ id, input, dataset_id }) => {
    if (getReach() === "away") throw unreachableError(createCategory.title);
    const limit = limitedSignal(signal(), RESPONSE_MS);
    try {
      const body = { ...input, reserved: id, user: owner.userId, dataset: dataset_id };
      const category = await request(createCategory, { body }, { signal: limit.signal, outlivesSession: true });
      const keeping = createdCategoryListener()?.(owner, category, dataset_id);
      if (keeping) await endsWithin(KEEP_MS, keeping).catch(() => false);
      return category;
    } catch (error) {
      if (limit.signal.aborted) throw unreachableError(createCategory.title);
      return await rethrow(error, owner.userId, limit.signal);
    } finally {
      limit.stop();
    }
  };
}

function resume(sync: Sync): void {
  if (isShutOut(sync.state.getState().phase)) void sync.flush();
}

/** Throws the error again. For a 401, adds `isOtherUser`: true if another user is logged in now. */
async function rethrow(error: unknown, userId: number, signal: AbortSignal): Promise<never> {
  if (!(error instanceof Error && "status" in error && error.status === 401)) throw error;
  const isOtherUser = await request(getUser, {}, { signal, outlivesSession: true }).then(
    ({ user }) => user.id !== userId,
    () => false,
  );
  throw Object.assign(error, { isOtherUser });
}

/** Returns true if closing the page would lose edits. */
function isOnlyInMemory({ state }: Sync): boolean {
  const { writing, memoryOnly } = state.getState();
  return writing > 0 || memoryOnly;
}

/** Holds the current sync. If only the installation differs, a request on its way is still answered. */
function leaveCurrent(next: Owner): void {
  if (!current) return;
  const { owner, sync, review, turn } = current;
  const isSameUser = owner.username === next.username && owner.installation !== next.installation;
  sync.hold(isSameUser ? "otherInstallation" : "otherUser");
  if (!isSameUser) turn.end.abort();
  review.close();
  left.push(current);
  current = undefined;
}

async function wipe(opened: Opened): Promise<void> {
  for (const stop of opened.stops) stop();
  opened.sync.close();
  opened.review.close();
  if (current === opened) current = undefined;
  if (left.includes(opened)) left.splice(left.indexOf(opened), 1);
  await opened.sync.wipe();
  await opened.review.wipe();
  forgetJournal(journalName(opened.owner));
}

const unsaved = (): string => t`Changes that this browser could not save would be lost.`;

/**
 * Returns what a logout would lose. First sends what it can, and reads the journals, which may hold edits of earlier
 * pages. If a journal has not been read or written by then, the user is asked.
 */
async function warning({ sync, review }: Opened): Promise<string | null> {
  if (current?.sync !== sync) return sync.state.getState().memoryOnly ? unsaved() : null;
  await endsWithin(LAST_TRY_MS, Promise.all([sync.flush(), review.refresh()]));
  const { pending, conflicts, writing, ...journal } = sync.state.getState();
  const { changes: foreign, ...others } = review.state.getState();
  const isKnown = journal.isRead && !journal.isUnreadable && writing === 0;
  const areOthersKnown = others.groups !== undefined && !others.isUnreadable;
  const sentences = [
    !(isKnown && areOthersKnown) && storageText(),
    pending > 0 &&
      plural(pending, {
        one: "# of your changes is not on the server yet and would be lost.",
        other: "# of your changes are not on the server yet and would be lost.",
      }),
    pending === 0 &&
      conflicts.length > 0 &&
      plural(conflicts.length, {
        one: "# of your changes is in conflict and would be lost.",
        other: "# of your changes are in conflict and would be lost.",
      }),
    foreign > 0 &&
      plural(foreign, {
        one: "# change that you made on another installation waits for your review and would be lost.",
        other: "# changes that you made on another installation wait for your review and would be lost.",
      }),
  ];
  return sentences.filter(Boolean).join(" ") || null;
}
