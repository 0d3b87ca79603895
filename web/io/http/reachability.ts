import { getHealth } from "../../../shared/api/info";
import { Retry } from "../../../shared/async/retry";
import { limitedSignal } from "../../../shared/async/signals";
import { endsWithin } from "../../../shared/async/timeLimit";
import { address } from "./url";

/**
 * Tracks if the server can be reached, so that nothing waits for a time-out. The server counts as away when a call and
 * then a health check fail without a response, or when neither of the two has been answered for two seconds.
 */
export type Reach = "reachable" | "away";

/**
 * Silence of a call after which a health check is sent, and of the check after which the server counts as away, in
 * milliseconds.
 */
const SILENCE_MS = 1_000;
/** Extra time to read responses that arrived while the page itself was blocked, in milliseconds. */
const GRACE_MS = 100;
/** Pause between health checks for a call that a living server has not answered, in milliseconds. */
const SLOW_CALL_MS = 5_000;
/** Pauses between health checks while the server is away, in milliseconds; each is varied by up to a quarter. */
const CHECKS = { first: 1_000, longest: 8_000 };
/** Time limit of a health check, in milliseconds. */
const CHECK_LIMIT_MS = 10_000;

/** Time when the server went away, in milliseconds since 1970; null while it is reachable. */
let awaySince: number | null = null;
/** The same moment by `performance.now()`, which changes of the clock do not affect. */
let awayFrom = 0;
/** Number of responses of the server in this tab. */
let responses = 0;
const listeners = new Set<() => void>();
const checks = new Retry(checkWhileAway, CHECKS);

export const getReach = (): Reach => (awaySince === null ? "reachable" : "away");

export const getAwaySince = (): number | null => awaySince;

/** Returns the milliseconds for which the server has been away; 0 while it is reachable. */
export const getAwayMs = (): number => (awaySince === null ? 0 : performance.now() - awayFrom);

/** Calls `listener` when the server goes away or returns. Returns a function that stops it. */
export function subscribeReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` when the server returns. Returns a function that stops it. */
export const onReturn = (listener: () => void): (() => void) =>
  subscribeReach(() => {
    if (awaySince === null) listener();
  });

/** Must be called when the server has responded, over HTTP or the live connection. */
export function noteResponse(): void {
  responses += 1;
  if (awaySince === null) return;
  checks.succeeded();
  awaySince = null;
  notify();
}

/** Returns false for responses of a proxy that cannot reach the server, and of networks that show a login page. */
export function isFromServer({ status, headers }: Response): boolean {
  if ([502, 503, 504].includes(status) && !headers.has("Retry-After")) return false;
  return !headers.get("Content-Type")?.startsWith("text/html");
}

/** Must be called when a call has failed without a response. Returns true if the server is away. */
export async function confirmAway(): Promise<boolean> {
  if (awaySince !== null) return true;
  const before = responses;
  await endsWithin(SILENCE_MS, sendCheck());
  if (responses === before) beginAway();
  return responses === before;
}

/** Returns true if the server can be reached. If it is away, checks once more first, for at most a second. */
export async function isReachable(): Promise<boolean> {
  if (awaySince !== null) await endsWithin(SILENCE_MS, sendCheck());
  return awaySince === null;
}

/**
 * Watches a call that has just been sent. `silence` resolves when the server is away; until then the caller should wait
 * for the call, however slow it is. `stop` must be called when the call has ended.
 */
export function watchForSilence(): { silence: Promise<void>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const pause = (ms: number) =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  const watch = async () => {
    for (let wait = SILENCE_MS; !isOver; wait = SLOW_CALL_MS) {
      const before = responses;
      await pause(wait);
      if (isOver) return;
      if (responses !== before && awaySince === null) continue;
      void sendCheck();
      await pause(SILENCE_MS - GRACE_MS);
      await pause(GRACE_MS);
      if (isOver) return;
      if (responses === before) return beginAway();
    }
  };
  const silence = new Promise<void>((resolve) => {
    void watch().then(() => !isOver && resolve());
  });
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
  };
  return { silence, stop };
}

/**
 * Calls `listener` once: at once while the server can be reached, otherwise when it returns. Returns a function that
 * stops it.
 */
export function onceReachable(listener: () => void): () => void {
  if (awaySince === null) {
    listener();
    return () => {};
  }
  const stop = onReturn(() => {
    stop();
    listener();
  });
  return stop;
}

/** Resolves at once while the server can be reached, otherwise when it returns. */
export const untilReachable = (): Promise<void> => new Promise((resolve) => void onceReachable(resolve));

/** Checks at once if the server can be reached, after an event that suggests that the network has changed. */
export function checkReach(): void {
  if (awaySince === null) void confirmAway();
  else {
    checks.succeeded();
    checkWhileAway();
  }
}

/** Starts to check whenever the browser reports that the network has changed. */
export function watchNetwork(): void {
  window.addEventListener("online", checkReach);
  window.addEventListener("offline", checkReach);
}

function beginAway(): void {
  if (awaySince !== null) return;
  awaySince = Date.now();
  awayFrom = performance.now();
  checks.failed();
  notify();
}

/** Sends a check and plans the next one without waiting for the response, because a dead connection never gives one. */
function checkWhileAway(): void {
  if (awaySince === null) return;
  checks.failed();
  void sendCheck();
}

/** Resolves when the check has ended; a response of the server has then been noted. */
async function sendCheck(): Promise<void> {
  const limit = limitedSignal(undefined, CHECK_LIMIT_MS);
  try {
    const response = await fetch(address(getHealth, {}), { cache: "no-store", signal: limit.signal });
    if (response.ok && isFromServer(response)) noteResponse();
  } catch {
    // No response.
  } finally {
    limit.stop();
  }
}

function notify(): void {
  for (const listener of listeners) listener();
}
