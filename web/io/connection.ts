import { socket } from "./socket";

/** Whether the server can be reached, as the live connection knows it. */
export type Connection = "unknown" | "connected" | "disconnected";

const RETRY_REFUSED_MS = 5000;

let state: Connection = "unknown";
let retry: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const getConnection = (): Connection => state;

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the live connection for whoever is logged in. Harmless when it is open. */
export function connect(): void {
  const live = socket();
  if (live.listeners("connect").length === 0) {
    live.on("connect", () => tell("connected"));
    live.on("disconnect", (reason) => reason !== "io client disconnect" && tell("disconnected"));
    live.on("connect_error", () => {
      tell("disconnected");
      // A refusal by the server ends socket.io's own tries.
      if (!live.active) retry = setTimeout(() => live.connect(), RETRY_REFUSED_MS);
    });
    window.addEventListener("online", () => state === "disconnected" && live.active && live.disconnect().connect());
  }
  if (!live.active) live.connect();
}

/** Ends it: the next person must not be served on this one's connection. */
export function disconnect(): void {
  clearTimeout(retry);
  socket().disconnect();
  tell("unknown");
}

function tell(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}
