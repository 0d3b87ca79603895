import type { Server as HttpServer, IncomingMessage } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";

/**
 * Handles requests that offer to speak another protocol, as `curl --http2` and Java's client do, as if they had not (RFC
 * 9110, section 7.8). Once anybody listens for upgrades, node:http hands over every such request and reads no further: so
 * it is read once more, without the offer. `path`: under it are the upgrades that others take.
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

/** The request's head as it came, without the offer. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
