import type { IncomingMessage, ServerResponse } from "node:http";
import type { Env } from "../../base/env";
import type { LiveServer } from "../../live/socketLive";
import { addressOf } from "../../middleware/requireOwnOrigin";
import type { Handshakes } from "./handshakes";
import type { PacketWatch } from "./watchPackets";

type Next = (error?: Error) => void;

/**
 * Counts requests to the socket endpoint. Charges polls and upgrades to their connection, and all other requests, which
 * open a new connection or name one that has ended, to the address. Refuses methods that a poll cannot have with 405,
 * since Engine.IO responds with 500.
 */
export function limitRequests(
  io: LiveServer,
  env: Pick<Env, "TRUST_PROXY">,
  { handshakes, packets }: { handshakes: Handshakes; packets: PacketWatch },
) {
  return (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    if (request.method !== "GET" && request.method !== "POST") {
      response.writeHead(405, { Allow: "GET, POST" }).end();
      return;
    }
    const conn = connectionOf(io, request);
    const isFine = conn ? packets.charge(conn, 1) : handshakes.arrive(addressOf(request, env));
    next(isFine ? undefined : new Error("Too many requests."));
  };
}

type Connection = Parameters<PacketWatch["watch"]>[0];

function connectionOf(io: LiveServer, request: IncomingMessage): Connection | undefined {
  const { sid } = (request as IncomingMessage & { _query: { sid?: string } })._query;
  const { clients } = io.engine as unknown as { clients: Record<string, Connection> };
  return sid !== undefined && Object.hasOwn(clients, sid) ? clients[sid] : undefined;
}
