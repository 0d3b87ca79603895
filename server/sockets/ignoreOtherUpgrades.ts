import type { Server as HttpServer, IncomingMessage } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";

/**
 * Ignores offers to upgrade to another protocol, as sent by `curl --http2` and Java's client (RFC 9110, section 7.8).
 * As soon as there is a listener for upgrades, node:http passes every such request to it and reads no further, so the
 * request is read again without the offer. Upgrades under `path` are left to other listeners.
 */
export function ignoreOtherUpgrades(server: HttpServer | HttpsServer, path: string): void {
  const taken = `${path}/`;
  const arrival = server instanceof HttpsServer ? "secureConnection" : "connection";
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url?.startsWith(taken)) return;
    socket.unshift(Buffer.concat([headOf(request), head]));
    server.emit(arrival, socket);
  });
}

/** Returns the request's head without the offer. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
