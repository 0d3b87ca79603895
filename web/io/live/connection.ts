import type { Limited } from "../../../shared/events";
import { socket } from "./socket";

/** State of the connection to the server, from the live connection. */
export type Connection = "unknown" | "connected" | "disconnected";

const RETRY_REFUSED_MS = 5000;

let state: Connection = "unknown";
let retry: ReturnType<typeof setTimeout> | undefined;
let limit: Limited | undefined;
/** True once the handlers are there. Pages may have put theirs on the same events before. */
let isWatched = false;
const listeners = new Set<() => void>();

export const getConnection = (): Connection => state;

/** The server's reason to refuse this user's connections for a while; undefined while it gives none. */
export const getLimit = (): Limited | undefined => limit;

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the live connection for whoever is logged in. Harmless when it is open. */
export function connect(): void {
  const live = socket();
  if (!isWatched) {
    isWatched = true;
    live.on("connect", () => {
      limit = undefined;
      tell("connected");
    });
    live.on("limited", (reason) => {
      limit = reason;
      // Not again at once, as after a loss: the server would refuse it.
      live.disconnect();
      connectIn(waitFor(reason));
      tell("disconnected");
    });
    live.on("disconnect", (reason) => reason !== "io client disconnect" && tell("disconnected"));
    live.on("connect_error", (error) => {
      limit = limitOf(error);
      // A refusal by the server ends socket.io's own tries.
      if (!live.active) connectIn(limit ? waitFor(limit) : RETRY_REFUSED_MS);
      tell("disconnected");
    });
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

/** Milliseconds; the tabs of one user come back one after the other. */
const waitFor = ({ retry_after }: Limited): number => retry_after * 1000 * (1 + Math.random() / 2);

function limitOf(error: Error & { data?: unknown }): Limited | undefined {
  const { data } = error;
  return typeof data === "object" && data !== null && "retry_after" in data ? (data as Limited) : undefined;
}

/** Ends it: the next person must not be served on this one's connection. */
export function disconnect(): void {
  clearTimeout(retry);
  retry = undefined;
  limit = undefined;
  socket().disconnect();
  tell("unknown");
}

function tell(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}
