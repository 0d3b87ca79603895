import type { ErrorCode } from "../../../shared/api/protocol/errorCode";
import { MAX_EDITS } from "../../../shared/constants";
import type { EditAnswer, EditBatch } from "../../../shared/edits/edit";
import type { Journal, JournalRow } from "../journal/journal";
import type { Phase } from "../journal/syncState";
import { settle } from "./settle";

/** Sends one batch; throws with `status` (0: the server cannot be reached). */
export type Send = (batch: EditBatch) => Promise<{ answers: EditAnswer[] }>;

/** Of a failed call, as web/io throws it. */
interface Failure {
  status: number;
  message?: string;
  retryAfter?: number | null;
  code?: ErrorCode | null;
  /** Of a 401: the session is another person's. */
  isSomebodyElse?: boolean;
}

/** Edits that wait for the server, in order: the journal, or what could not be journalled. */
export interface Queue {
  /** The oldest queued edits; those behind number `after`, where it is given. */
  queued(limit: number, after?: number): Promise<JournalRow[]>;
  /** Stores the outcome of some: acknowledged ones go, others change. */
  settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void>;
}

/** Outcome of sending. */
export type Ended = Exclude<Phase, "sending">;

const BATCH = 100;
/** Edits read from the queue at once. */
const PAGE = 500;

/**
 * Sends the oldest edits, batch by batch and in order, until none is left. A batch holds consecutive edits of one
 * client. Returns the reason if it ended early; server errors never throw. Acknowledged edits that cannot be settled
 * are sent again later, before later ones; the server recognises them.
 */
export async function push(
  waiting: Queue,
  send: Send,
  onAnswers: (rows: readonly JournalRow[], answers: readonly EditAnswer[]) => void,
): Promise<Ended | "unreadable" | undefined> {
  let size = BATCH;
  let queue: JournalRow[] = [];
  for (;;) {
    const read = await withNew(waiting, queue).catch(() => undefined);
    if (!read) return "unreadable";
    queue = read;
    const batch = oneClient(queue, size);
    if (batch.length === 0) return undefined;
    try {
      const { answers } = await send({ client: batch[0]?.client ?? "", edits: batch.map(({ edit }) => edit) });
      // Edits made while the batch was on its way may build on it as well.
      queue = await withNew(waiting, queue).catch(() => queue);
      const { done, changed } = settle(batch, queue.slice(batch.length), answers);
      if (done.length + changed.length === 0) return "failing";
      if (!(await isSettled(waiting, done, changed))) return "failing";
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
      const drafts = batch.map((row) => refused(row, failure));
      if (!(await isSettled(waiting, [], drafts))) return "failing";
      queue = queue.slice(batch.length);
      onAnswers(batch, drafts.map(refusalOf));
      size = BATCH;
    }
  }
}

/** The browser's store may be full, or closed under way. */
function isSettled(waiting: Queue, done: readonly number[], changed: readonly JournalRow[]): Promise<boolean> {
  return waiting.settle(done, changed).then(
    () => true,
    () => false,
  );
}

/**
 * The queue with what was journalled since, in this tab or another: a conflict must reach all later edits of its
 * subject. Only whoever pushes changes rows that are there, so they need not be read again; pages keep the reading
 * short.
 */
async function withNew(waiting: Queue, known: readonly JournalRow[]): Promise<JournalRow[]> {
  const queue = [...known];
  for (;;) {
    const page = await waiting.queued(PAGE, queue.at(-1)?.seq);
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

/** Sessions and preferences, when no edit waits. */
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
    // Sessions and preferences that the server refuses are dropped: they are statistics and comforts, not work.
    if (!isFinal(failure)) return phaseOf(failure);
  }
  await journal.removeSessions(sessions.map(({ uuid }) => uuid));
  await journal.removePreferences(preferences);
  return "again";
}

function oneClient(queue: readonly JournalRow[], size: number): JournalRow[] {
  const first = queue[0];
  const end = queue.findIndex((row) => row.client !== first?.client);
  return queue.slice(0, Math.min(size, end < 0 ? queue.length : end));
}

function refused(row: JournalRow, { message }: Failure): JournalRow {
  return { ...row, state: "draft", fields: [], stored: null, reason: message || "The server refused this." };
}

const refusalOf = ({ uuid, reason, code }: JournalRow): EditAnswer => ({ uuid, status: "refused", reason, code });

/**
 * The server itself says of this very batch that it will never take it. Any other status may be somebody else's on the
 * way (a proxy that is being set up answers 404), and passes.
 */
function isFinal({ status }: Failure): boolean {
  return [400, 413, 422].includes(status);
}

function phaseOf({ status, code, isSomebodyElse }: Failure): Ended {
  if (status === 0) return "offline";
  if (code === "other_installation") return "otherInstallation";
  if (isSomebodyElse) return "somebodyElse";
  return status === 401 || status === 403 ? "signedOut" : "failing";
}

function failureOf(error: unknown): Failure {
  if (typeof error === "object" && error !== null && "status" in error && typeof error.status === "number")
    return error as Failure;
  throw error;
}
