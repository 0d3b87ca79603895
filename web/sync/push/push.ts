import type { ErrorCode } from "../../../shared/api/protocol/errorCode";
import { MAX_EDITS } from "../../../shared/constants";
import type { EditAnswer, EditBatch } from "../../../shared/edits/edit";
import type { Answered } from "../../io/journal/storedEdits";
import type { Journal, JournalRow } from "../journal/journal";
import type { Phase } from "../journal/syncState";
import { settle } from "./settle";

/** Receives the responses to edits before the journal forgets those that were stored. Never rejects. */
export type Keep = (answered: readonly Answered[]) => Promise<void>;

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
export interface Queue {
  /** Returns the oldest queued edits, only those after `after` if it is given. */
  queued(limit: number, after?: number): Promise<JournalRow[]>;
  /** Stores the outcome: deletes `done`, replaces `changed`. */
  settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void>;
}

/** Phase after sending has ended. */
export type Ended = Exclude<Phase, "sending">;

const BATCH = 100;
/** Number of edits read from the queue at once. */
const PAGE = 500;

/**
 * Sends the oldest edits, batch by batch and in order, until none is left. A batch contains consecutive edits of one
 * client. Returns the reason if it ends early; server errors never throw. Acknowledged edits whose outcome cannot be
 * stored are sent again before later ones; the server recognises them.
 */
export async function push(
  source: Queue,
  send: Send,
  onAnswers: (rows: readonly JournalRow[], answers: readonly EditAnswer[]) => void,
  keep: Keep = async () => undefined,
): Promise<Ended | "unreadable" | undefined> {
  let size = BATCH;
  let queue: JournalRow[] = [];
  for (;;) {
    const read = await readNewRows(source, queue).catch(() => undefined);
    if (!read) return "unreadable";
    queue = read;
    const batch = firstBatch(queue, size);
    if (batch.length === 0) return undefined;
    try {
      const { answers } = await send({ client: batch[0]?.client ?? "", edits: batch.map(({ edit }) => edit) });
      await keep(withAnswers(batch, answers));
      // Edits made while the batch was on its way may build on it as well.
      queue = await readNewRows(source, queue).catch(() => queue);
      const { done, changed } = settle(batch, queue.slice(batch.length), answers);
      if (done.length + changed.length === 0) return "failing";
      if (!(await trySettle(source, done, changed))) return "failing";
      queue = stillQueued(queue, done, changed);
      onAnswers(batch, answers);
      size = BATCH;
    } catch (error) {
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
      if (!(await trySettle(source, [], conflicts))) return "failing";
      queue = queue.slice(batch.length);
      onAnswers(batch, conflicts.map(refusalOf));
      size = BATCH;
    }
  }
}

function withAnswers(rows: readonly JournalRow[], answers: readonly EditAnswer[]): Answered[] {
  const byUuid = new Map(answers.map((answer) => [answer.uuid, answer]));
  return rows.flatMap(({ uuid, edit }) => {
    const answer = byUuid.get(uuid);
    return answer ? [{ edit, answer }] : [];
  });
}

/** Stores the outcome. Returns false if the browser's storage is full or was closed. */
function trySettle(source: Queue, done: readonly number[], changed: readonly JournalRow[]): Promise<boolean> {
  return source.settle(done, changed).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the queue with the edits journalled since, in this tab or another: a conflict must affect all later edits of
 * its subject. Known rows are not read again, because only the pushing tab changes them. Reads page by page to keep
 * each read short.
 */
async function readNewRows(source: Queue, known: readonly JournalRow[]): Promise<JournalRow[]> {
  const queue = [...known];
  for (;;) {
    const page = await source.queued(PAGE, queue.at(-1)?.seq);
    queue.push(...page);
    if (page.length < PAGE) return queue;
  }
}

function stillQueued(
  queue: readonly JournalRow[],
  done: readonly number[],
  changed: readonly JournalRow[],
): JournalRow[] {
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
  return { ...row, state: "draft", fields: [], stored: null, reason: message || "The server refused this change." };
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
