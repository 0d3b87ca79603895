import { sendEdits } from "../../shared/api/annotator";
import { journalName } from "../io/journalName";
import { beforeLogout } from "../io/leaving";
import { request } from "../io/request";
import { Sync } from "./sync";

/** How long a log-out waits for the last edits to be sent. */
const LAST_TRY_MS = 3000;

let current: { userId: number; sync: Sync; unregister: () => void } | undefined;

/**
 * The journal and queue of whoever works in this tab; the first call opens it and sends what earlier pages left behind.
 * Another person's is closed first: nobody sends for somebody else.
 */
export function syncOf(userId: number): Sync {
  if (current?.userId === userId) return current.sync;
  closeSync();
  const send = (batch: Parameters<Sync["send"]>[0]) => request(sendEdits, { body: { ...batch, user: userId } });
  const sync = new Sync(journalName(userId), send);
  const unregister = beforeLogout({ warning: () => warning(sync), wipe: () => wipe(sync) });
  current = { userId, sync, unregister };
  void navigator.storage?.persist?.().catch(() => undefined);
  return sync;
}

function closeSync(): void {
  current?.unregister();
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
