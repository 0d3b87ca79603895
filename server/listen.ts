import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Env } from "./base/env";
import { ConfigurationError, codeOf } from "./base/errors";

/**
 * Time limits in milliseconds against clients that are slow on purpose: 10 s for the head of a request, and later two
 * minutes without any data. Uploads have no total limit; JSON bodies have one in readBody.ts.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};
const SILENCE_MS = 120_000;

/** Returns a web server that does not listen yet. It uses TLS if TLS_CERT and TLS_KEY are set. */
export function makeWebServer(env: Pick<Env, "TLS_CERT" | "TLS_KEY">): Server {
  const server = env.TLS_CERT && env.TLS_KEY ? tlsServer(env.TLS_CERT, env.TLS_KEY) : createServer(TIMEOUTS);
  openSockets.set(server, trackSockets(server));
  return server.setTimeout(SILENCE_MS);
}

/** All connected sockets, including those upgraded to another protocol, which the server itself does not track. */
const openSockets = new WeakMap<Server, ReadonlySet<Socket>>();

function trackSockets(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (open.has(socket)) return;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

function tlsServer(cert: string, key: string): Server {
  try {
    return createTlsServer({ ...TIMEOUTS, cert: readFileSync(cert), key: readFileSync(key) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`TLS_CERT and TLS_KEY cannot be used: ${reason}.`);
  }
}

/** Starts listening and returns the port. Throws ConfigurationError if it cannot. */
export function listen(server: Server, { HOST, PORT }: Pick<Env, "HOST" | "PORT">): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new ConfigurationError(reasonFor(error, HOST, PORT))));
    server.listen(PORT, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function reasonFor(error: Error, host: string, port: number): string {
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return `Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`;
  if (code === "EACCES")
    return `Port ${port} needs rights that this user does not have. Set PORT to a number above 1023.`;
  return `The server cannot listen on HOST ${host} and PORT ${port}: ${error.message}.`;
}

/**
 * Ends each connection after its next response, so that clients and proxies open the next one at another server.
 * Sockets that were upgraded are not affected.
 */
export function endConnectionsSoon(server: Server): void {
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
}

/**
 * Stops accepting connections, gives running requests `graceMs` milliseconds to end, then closes the remaining
 * connections.
 */
export async function closeWebServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => {
    for (const socket of openSockets.get(server) ?? []) socket.destroy();
  }, graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
