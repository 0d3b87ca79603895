import { sendEdits } from "../../shared/api/annotator";
import { unreachable } from "../../shared/api/requestError";
import { getUser } from "../../shared/api/user";
import type { EditBatch } from "../../shared/edits/edit";
import { journalName } from "../io/journalName";
import { beforeLogout } from "../io/leaving";
import { limited } from "../io/limited";
import { request } from "../io/request";
import { askBeforeClosing } from "./askBeforeClosing";
import type { Send } from "./push";
import { Sync } from "./sync";
import { isShutOut } from "./syncState";

/** How long a log-out waits for the last edits to be sent. */
const LAST_TRY_MS = 3000;
/** How long a batch may take: what the server needs, and the way there over the slowest line. */
const ANSWER_MS = 30_000;
const CHARACTERS_PER_MS = 4;

let current: { userId: number; sync: Sync; stops: (() => void)[] } | undefined;

/**
 * The journal and queue of whoever works in this tab; the first call opens it and sends what earlier pages left behind.
 * Another person's is closed first: nobody sends for somebody else. Who has logged in again in this tab finds the queue as
 * it stood when the session ended, and it is sent.
 */
export function syncOf(userId: number): Sync {
  if (current?.userId === userId) return goOn(current.sync);
  closeSync();
  const leaving = new AbortController();
  const sync = new Sync(journalName(userId), senderFor(userId, leaving.signal));
  const unregister = beforeLogout({ warning: () => warning(sync), wipe: () => wipe(sync) });
  const stopAsking = askBeforeClosing(() => isOnlyInMemory(sync));
  current = { userId, sync, stops: [unregister, stopAsking, () => leaving.abort()] };
  void navigator.storage?.persist?.().catch(() => undefined);
  return sync;
}

/**
 * A server that does not answer is as good as none: nothing else is sent meanwhile, in no tab. What it has stored all the
 * same, it knows when it is sent again.
 */
function senderFor(userId: number, signal: AbortSignal): Send {
  return async (batch) => {
    const body = { ...batch, user: userId };
    const limit = limited(signal, ANSWER_MS + lengthOf(body) / CHARACTERS_PER_MS);
    try {
      return await request(sendEdits, { body }, { signal: limit.signal, outlivesSession: true });
    } catch (error) {
      if (limit.signal.aborted) throw unreachable(sendEdits.title);
      return await explain(error, userId, limit.signal);
    } finally {
      limit.stop();
    }
  };
}

const lengthOf = (batch: EditBatch): number => JSON.stringify(batch).length;

function goOn(sync: Sync): Sync {
  if (isShutOut(sync.state.getState().phase)) void sync.flush();
  return sync;
}

/** The failure again; where the person is refused, whether that is because somebody else is logged in now. */
async function explain(error: unknown, userId: number, signal: AbortSignal): Promise<never> {
  if (!(error instanceof Error && "status" in error && error.status === 401)) throw error;
  const isSomebodyElse = await request(getUser, {}, { signal, outlivesSession: true }).then(
    ({ user }) => user.id !== userId,
    () => false,
  );
  throw Object.assign(error, { isSomebodyElse });
}

/** Whether something of the person's would go with the page. */
function isOnlyInMemory({ state }: Sync): boolean {
  const { writing, memoryOnly } = state.getState();
  return writing > 0 || memoryOnly;
}

function closeSync(): void {
  for (const stop of current?.stops ?? []) stop();
  current?.sync.close();
  current = undefined;
}

async function wipe(sync: Sync): Promise<void> {
  closeSync();
  await sync.wipe();
}

/** Sends first what can be sent; the journal is read on the way, so that also what earlier pages left is counted. */
async function warning(sync: Sync): Promise<string | null> {
  await Promise.race([sync.flush(), new Promise((done) => setTimeout(done, LAST_TRY_MS))]);
  const { pending, conflicts } = sync.state.getState();
  if (pending + conflicts.length === 0) return null;
  if (pending === 0) return `${conflicts.length} of your changes are in conflict and would be lost.`;
  return `${pending} of your changes are not on the server yet and would be lost.`;
}
