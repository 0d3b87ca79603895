import { io, type ManagerOptions, type Socket, type SocketOptions } from "socket.io-client";
import type { Env } from "../../server/base/env";
import { cookieName } from "../../server/features/access/identity";
import { PRESENCE_IN_BATCHES } from "../../shared/events";
import type { TestClient } from "./testClient";

type Options = Partial<ManagerOptions & SocketOptions>;

/**
 * Opens a live connection like a page of Limn. `url` is the server's, with its base path; `cookie` is the session's.
 */
export function openSocket(url: string, cookie: string, options: Options = {}): Socket {
  const { origin, pathname } = new URL(url);
  return io(origin, {
    path: `${pathname}socket.io`,
    transports: ["websocket"],
    auth: PRESENCE_IN_BATCHES,
    extraHeaders: { Cookie: cookie, Origin: origin },
    forceNew: true,
    reconnection: false,
    ...options,
  });
}

export const cookieOfToken = (env: Pick<Env, "BASE_PATH">, token: string): string => `${cookieName(env)}=${token}`;

export const cookieOfClient = ({ cookies }: TestClient): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Resolves with the next event's first argument. */
export const nextEvent = <T = unknown>(socket: Socket, event: string): Promise<T> =>
  new Promise((resolve) => socket.once(event, resolve));

/** Resolves when the socket is connected. Rejects if it is refused, or the server closes the connection. */
export function waitForConnection(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.connected) resolve();
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
    socket.once("disconnect", (reason) => reject(new Error(reason)));
  });
}
