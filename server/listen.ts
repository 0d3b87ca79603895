import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Env } from "./base/env";
import { ConfigurationError, codeOf } from "./base/errors";

/**
 * Against clients that are slow on purpose: the head of a request within 10 s; then a connection may be silent for two
 * minutes. Uploads have no limit in whole, bodies of JSON have their own.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};
const SILENCE_MS = 120_000;

/** A web server that does not listen yet; with TLS where the environment names a certificate. */
export function makeWebServer(env: Pick<Env, "TLS_CERT" | "TLS_KEY">): Server {
  const server = env.TLS_CERT && env.TLS_KEY ? tlsServer(env.TLS_CERT, env.TLS_KEY) : createServer(TIMEOUTS);
  openSockets.set(server, noteSockets(server));
  return server.setTimeout(SILENCE_MS);
}

/** All that are connected, also those that speak another protocol by now, of which the server itself knows nothing. */
const openSockets = new WeakMap<Server, ReadonlySet<Socket>>();

function noteSockets(server: Server): ReadonlySet<Socket> {
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

/** Resolves when the server listens; returns its port. Throws ConfigurationError where it cannot. */
export function listen(server: Server, { HOST, PORT }: Pick<Env, "HOST" | "PORT">): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new ConfigurationError(reasonFor(error, HOST, PORT))));
    server.listen(PORT, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function reasonFor(error: Error, host: string, port: number): string {
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return `Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`;
  if (code === "EACCES") return `Port ${port} needs rights that this user has not. Set PORT to one above 1023.`;
  return `HOST ${host} and PORT ${port} cannot be listened on: ${error.message}.`;
}

/** Takes no more connections, lets running requests end for `graceMs`, then closes what is left. */
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
