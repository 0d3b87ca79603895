import { io, type Socket } from "socket.io-client";
import { type ClientEvents, PRESENCE_IN_BATCHES, type ServerEvents } from "../../../shared/events";
import { baseUrl } from "../http/url";

export type LiveSocket = Socket<ServerEvents, ClientEvents>;

let shared: LiveSocket | undefined;

/**
 * Returns the tab's only live connection, opened by the first call. Events are hints, see shared/events. Tries a
 * websocket first, because polling is disabled when several server processes share one database.
 */
export function socket(): LiveSocket {
  shared ??= connect();
  return shared;
}

function connect(): LiveSocket {
  const base = baseUrl();
  return io(base.origin, {
    path: `${base.pathname}socket.io`,
    transports: ["websocket", "polling"],
    auth: PRESENCE_IN_BATCHES,
    // Short, so that a connection that the server ended (after a password change) is back before the user sees a
    // message.
    reconnectionDelay: 300,
    reconnectionDelayMax: 5000,
  });
}
