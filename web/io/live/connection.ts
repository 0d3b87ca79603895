import type { Limited } from "../../../shared/events";
import { checkReach, confirmAway, noteResponse, watchNetwork } from "../http/reachability";
import { socket } from "./socket";

/** State of the live connection to the server. */
export type Connection = "unknown" | "connected" | "disconnected";

const RETRY_REFUSED_MS = 5000;

let state: Connection = "unknown";
let retry: ReturnType<typeof setTimeout> | undefined;
let limit: Limited | undefined;
/**
 * True once the handlers are registered. Counting the socket's listeners would not show it, because pages listen to
 * some of the same events.
 */
let isWatched = false;
const listeners = new Set<() => void>();

export const getConnection = (): Connection => state;

/** Returns the server's reason for refusing this user's connections for a while; undefined if it accepts them. */
export const getLimit = (): Limited | undefined => limit;

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the live connection for the current user. Does nothing if it is open. */
export function connect(): void {
  const live = socket();
  if (!isWatched) {
    isWatched = true;
    live.on("connect", () => {
      limit = undefined;
      noteResponse();
      setState("connected");
    });
    live.on("limited", (reason) => {
      limit = reason;
      // Does not reconnect at once, as it does after a lost connection, because the server would refuse again.
      live.disconnect();
      connectIn(waitFor(reason));
      setState("disconnected");
    });
    live.on("disconnect", (reason) => {
      if (reason === "io client disconnect") return;
      checkReach();
      setState("disconnected");
    });
    live.on("connect_error", (error) => {
      limit = limitOf(error);
      // A refusal by the server ends socket.io's own retries.
      if (!live.active) connectIn(limit ? waitFor(limit) : RETRY_REFUSED_MS);
      // A server that was just stopping may have answered the check at "disconnect".
      else void confirmAway();
      setState("disconnected");
    });
    watchNetwork();
    window.addEventListener("online", () => state === "disconnected" && live.active && live.disconnect().connect());
  }
  if (!live.active && retry === undefined) live.connect();
}

function connectIn(ms: number): void {
  clearTimeout(retry);
  retry = setTimeout(() => {
    retry = undefined;
    socket().connect();
  }, ms);
}

/** Returns the wait in milliseconds, randomised so that the tabs of one user do not reconnect at the same time. */
const waitFor = ({ retry_after }: Limited): number => retry_after * 1000 * (1 + Math.random() / 2);

function limitOf(error: Error & { data?: unknown }): Limited | undefined {
  const { data } = error;
  return typeof data === "object" && data !== null && "retry_after" in data ? (data as Limited) : undefined;
}

/** Closes the live connection, so that it does not serve the next user. */
export function disconnect(): void {
  clearTimeout(retry);
  retry = undefined;
  limit = undefined;
  socket().disconnect();
  setState("unknown");
}

function setState(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}
