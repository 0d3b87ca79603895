import { t } from "@lingui/core/macro";
import type { ErrorCode } from "../../../shared/api/protocol/errorCode";
import { MAX_EDITS } from "../../../shared/constants";
import type { EditAnswer, EditBatch } from "../../../shared/edits/edit";
import type { Journal, JournalRow } from "../journal/journal";
import type { Phase } from "../journal/syncState";
import { type AnswersListener, type Keep, Outcomes, type Settling, type StoredListener } from "./outcomes";
import { mayFollow, type SentRows, sendRows } from "./sentRows";
import { type Settled, settle } from "./settle";

/** Sends one batch. Throws an error with `status` (0: the server cannot be reached). */
export type Send = (batch: EditBatch) => Promise<{ answers: EditAnswer[] }>;

/** Error of a failed call, as web/io throws it. */
export interface Failure {
  status: number;
  message?: string;
  retryAfter?: number | null;
  code?: ErrorCode | null;
  /** For a 401: true if the session belongs to another user. */
  isOtherUser?: boolean;
}

/** Pending edits in order: the journal, or edits in memory that could not be journalled. */
export interface Queue extends Settling {
  /** Returns the oldest queued edits; if `after` is given, only edits after that `seq`. */
  queued(limit: number, after?: number): Promise<JournalRow[]>;
}

/** Phase after sending has ended. */
export type Ended = Exclude<Phase, "sending">;

/** Number of edits read from the queue at once. */
const PAGE = 500;

/**
 * Sends the oldest edits, batch by batch and in order, until none is left. A batch contains consecutive edits of one
 * client. Returns the reason if it ends early; server errors never throw. Acknowledged edits whose outcome cannot be
 * stored are sent again before later ones; the server recognises them. `onStored` receives the `seq` of rows that the
 * server has stored, if they are many, before their outcome is stored here; at the end, an empty list.
 */
export async function push(
  source: Queue,
  send: Send,
  onAnswers: AnswersListener,
  keep: Keep = async () => undefined,
  onStored: StoredListener = async () => undefined,
): Promise<Ended | "unreadable" | undefined> {
  const outcomes = new Outcomes(source, onAnswers, keep, onStored);
  try {
    for (;;) {
      const ended = await pushQueue(source, send, outcomes);
      if (!(await outcomes.store())) return "failing";
      if (ended !== "again") return ended;
    }
  } finally {
    await onStored([]);
  }
}

/**
 * Sends the queued edits until none is left. Sends the next batch while one is on its way if neither builds on the
 * other. Returns "again" if edits were sent: more may be queued by then, and the outcomes must be stored before they
 * are sent.
 */
async function pushQueue(
  source: Queue,
  send: Send,
  outcomes: Outcomes,
): Promise<Ended | "unreadable" | "again" | undefined> {
  let size = MAX_EDITS;
  let queue: JournalRow[] = [];
  /** The batch that was sent while the one before it was on its way. */
  let ahead: SentRows | undefined;
  /** Waits for the batch sent ahead. It is sent again in its turn; the server recognises edits that it has stored. */
  const dropAhead = async () => {
    await ahead?.response.catch(() => undefined);
    ahead = undefined;
  };
  /** Largest `seq` that was read. The journal still contains rows whose outcomes are not stored yet. */
  let newest: number | undefined;
  const readNewRows = async () => {
    const rows = await readRows(source, newest);
    newest = rows.at(-1)?.seq ?? newest;
    queue.push(...rows);
  };
  for (let isFirst = true; ; isFirst = false) {
    const isStored = !outcomes.areMany || (await outcomes.store());
    const isRead = await readNewRows().then(
      () => true,
      () => false,
    );
    if (!isStored || !isRead || ahead?.rows[0] !== queue[0]) await dropAhead();
    if (!isStored) return "failing";
    if (!isRead) return "unreadable";
    const { rows: batch, response } = ahead ?? sendRows(firstBatch(queue, size), send);
    if (batch.length === 0) return isFirst ? undefined : "again";
    const next = size === MAX_EDITS ? firstBatch(queue.slice(batch.length), size) : [];
    ahead = mayFollow(next, batch) ? sendRows(next, send) : undefined;
    try {
      const { answers } = await response;
      // Edits made while the batch was on its way may build on it as well.
      await readNewRows().catch(() => undefined);
      const settled = settle(batch, queue.slice(batch.length), answers);
      if (settled.done.length + settled.changed.length === 0) {
        await dropAhead();
        return "failing";
      }
      queue = stillQueued(queue, settled);
      const { drawnIn } = settled;
      outcomes.add([...batch, ...drawnIn], [...answers, ...drawnIn.map(refusalOf)], settled);
      size = MAX_EDITS;
    } catch (error) {
      await dropAhead();
      const failure = failureOf(error);
      if (failure.status === 413 && batch.length > 1) {
        size = Math.ceil(batch.length / 2);
        continue;
      }
      if (isFinal(failure) && batch.length > 1) {
        size = 1;
        continue;
      }
      if (!isFinal(failure)) return phaseOf(failure);
      const conflicts = batch.map((row) => toRefused(row, failure));
      queue = queue.slice(batch.length);
      outcomes.add(batch, conflicts.map(refusalOf), { done: [], changed: conflicts, drawnIn: [] });
      size = MAX_EDITS;
    }
  }
}

/**
 * Returns the queued edits after a `seq`, also those of other tabs: a conflict must affect all later edits of its
 * subject. Known rows are not read again, because only the pushing tab changes them. Reads page by page to keep each
 * read short.
 */
async function readRows(source: Queue, after: number | undefined): Promise<JournalRow[]> {
  const rows: JournalRow[] = [];
  for (;;) {
    const page = await source.queued(PAGE, rows.at(-1)?.seq ?? after);
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

function stillQueued(queue: readonly JournalRow[], { done, changed }: Settled): JournalRow[] {
  const gone = new Set(done);
  const next = new Map(changed.map((row) => [row.seq, row]));
  return queue.flatMap((row) => {
    const now = next.get(row.seq) ?? row;
    return gone.has(row.seq) || now.state !== "queued" ? [] : [now];
  });
}

/** Sends work sessions and preferences when no edit is pending. */
export async function sendRest(journal: Journal, send: Send, ownClient: string): Promise<Ended | "again"> {
  const stored = await journal.someSessions(MAX_EDITS);
  const preferences = await journal.allPreferences();
  const hasPreferences = Object.keys(preferences).length > 0;
  if (stored.length === 0 && !hasPreferences) return "idle";
  const client = stored[0]?.client ?? ownClient;
  const sessions = stored.filter((session) => session.client === client);
  try {
    await send({
      client,
      edits: [],
      sessions: sessions.map(({ client: _, ...session }) => session),
      preferences: hasPreferences ? preferences : undefined,
    });
  } catch (error) {
    const failure = failureOf(error);
    // Drops sessions and preferences that the server refuses: they are statistics and settings, not work.
    if (!isFinal(failure)) return phaseOf(failure);
  }
  await journal.removeSessions(sessions.map(({ uuid }) => uuid));
  await journal.removePreferences(preferences);
  return "again";
}

function firstBatch(queue: readonly JournalRow[], size: number): JournalRow[] {
  const first = queue[0];
  const end = queue.findIndex((row) => row.client !== first?.client);
  return queue.slice(0, Math.min(size, end < 0 ? queue.length : end));
}

function toRefused(row: JournalRow, { message }: Failure): JournalRow {
  return { ...row, state: "draft", fields: [], stored: null, reason: message || t`The server refused this change.` };
}

const refusalOf = ({ uuid, reason, code }: JournalRow): EditAnswer => ({ uuid, status: "refused", reason, code });

/**
 * Returns true if the server will never accept this batch. Other statuses may come from a proxy (one that is being set
 * up responds with 404) and are temporary.
 */
export function isFinal({ status }: Failure): boolean {
  return [400, 413, 422].includes(status);
}

export function phaseOf({ status, code, isOtherUser }: Failure): Ended {
  if (status === 0) return "offline";
  if (code === "other_installation") return "otherInstallation";
  if (isOtherUser) return "otherUser";
  return status === 401 || status === 403 ? "signedOut" : "failing";
}

export function failureOf(error: unknown): Failure {
  if (typeof error === "object" && error !== null && "status" in error && typeof error.status === "number")
    return error as Failure;
  throw error;
}
