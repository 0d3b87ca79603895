import { t } from "@lingui/core/macro";
import { endsWithin, withinTime } from "../../shared/async/timeLimit";

/** Warning and cleanup at logout. Code that stores data in this browser registers one. */
export interface LogoutHandler {
  /** User whose data it looks after. */
  username: string;
  /** Returns a sentence about what logging out now would lose, or null. */
  warning(): Promise<string | null>;
  /** Deletes this user's data. Works offline. */
  wipe(): Promise<void>;
}

/** Maximum wait for unfinished work, such as a running computation, in milliseconds. */
const FINISH_MS = 5_000;
/** Maximum wait for a deletion, in milliseconds: the storage of some browsers never responds. */
const WIPE_MS = 10_000;

const registered = new Set<LogoutHandler>();
const finishers = new Set<() => Promise<unknown>>();

/** Registers work that must finish before it is known what a logout would lose. Returns a function that removes it. */
export function finishBeforeLogout(finish: () => Promise<unknown>): () => void {
  finishers.add(finish);
  return () => finishers.delete(finish);
}

/** Registers a logout handler. Returns a function that removes it. */
export function beforeLogout(handler: LogoutHandler): () => void {
  registered.add(handler);
  return () => registered.delete(handler);
}

const handlersOf = (username: string) => [...registered].filter((handler) => handler.username === username);

/**
 * Returns a sentence about each thing that a user's logout would lose. Ends although unfinished work, or storage, hangs.
 */
export async function logoutWarnings(username: string): Promise<string[]> {
  const isFinished = await endsWithin(FINISH_MS, Promise.all([...finishers].map((finish) => finish())));
  const warnings = await Promise.all(handlersOf(username).map((handler) => handler.warning()));
  const unfinished = isFinished ? null : t`Drawings that are still being computed would be lost.`;
  return [unfinished, ...warnings].filter((warning) => warning !== null);
}

/**
 * Deletes a user's data and the caches. Keeps the application's own files, so that it still opens offline. Rejects
 * after all deletions have ended or reached their time limit if one has failed.
 */
export async function wipeLocalData(username: string): Promise<void> {
  const wipes = handlersOf(username).map((handler) => withinTime(WIPE_MS, handler.wipe(), late));
  const results = await Promise.allSettled([...wipes, withinTime(WIPE_MS, wipeCaches(), late)]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

const late = (): Error => new Error(t`This browser's storage does not respond.`);

async function wipeCaches(): Promise<void> {
  // Absent outside secure contexts.
  if (!("caches" in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !name.includes("precache")).map((name) => caches.delete(name)));
}
