import { io, type Socket } from "socket.io-client";
import { type ClientEvents, PRESENCE_IN_BATCHES, type ServerEvents } from "../../../shared/events";
import { baseUrl } from "../http/url";

export type LiveSocket = Socket<ServerEvents, ClientEvents>;

let shared: LiveSocket | undefined;

/**
 * The tab's one live connection; the first call opens it. Events are hints, see shared/events. The transports are the
 * server's choice: polling is refused by replicas, so a websocket is tried first.
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
    // Short enough that a connection that the server ended (a changed password) is back before anybody is told of it.
    reconnectionDelay: 300,
    reconnectionDelayMax: 5000,
  });
}
