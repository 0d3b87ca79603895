import type { Limited } from "../../../shared/events";
import { warnSeldom } from "../../base/log";
import type { LiveServer } from "../../live/socketLive";
import { Penalties } from "./penalties";
import { type Rate, TokenBuckets } from "./tokenBuckets";

/** Rate per socket. A token is a small packet, about 50 microseconds of the server's time. */
const OF_SOCKET: Rate = { burst: 500, perSecond: 100 };
/** Rate per user, over all sockets. */
const OF_USER: Rate = { burst: 2_000, perSecond: 400 };
const BYTES_PER_TOKEN = 2_000;
/** Event that older clients send for each annotation at every save. The server ignores it, so it costs little. */
const ANNOTATION = { start: '2["annotation"', tokens: 0.1, bytesPerToken: 50_000 };
/** Time for the reason to reach the page before its connection is terminated. */
const GRACE_MS = 1_000;

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];
type Connection = LiveSocket["conn"];

interface Source {
  /** Key of the user's budget; undefined until the connection is admitted. */
  user: string | undefined;
  socket: LiveSocket | undefined;
  isCut: boolean;
}

const warn = warnSeldom();

/**
 * Counts all messages on the connections, including those below Socket.IO: pings, acknowledgements, unknown events. A
 * client that sends too much is sent the reason, disconnected, and locked out for a while.
 */
export class PacketWatch {
  readonly penalties = new Penalties();
  private readonly ofSocket = new TokenBuckets<Connection>(OF_SOCKET);
  private readonly ofUser = new TokenBuckets<string>(OF_USER);
  private readonly sources = new WeakMap<Connection, Source>();

  /** Starts counting a new Engine.IO connection. */
  watch(conn: Connection): void {
    this.sources.set(conn, { user: undefined, socket: undefined, isCut: false });
    conn.on("packet", ({ data }: { data?: unknown }) => this.charge(conn, costOf(data)));
    this.watchFrames(conn);
    conn.on("upgrade", () => this.watchFrames(conn));
    conn.once("close", () => this.ofSocket.forget(conn));
  }

  /** Also charges the connection's messages to its user from now on. */
  admit(socket: LiveSocket, user: string): void {
    const source = this.sources.get(socket.conn);
    if (source) Object.assign(source, { user, socket });
  }

  /** Takes tokens from the connection's budgets. If there are not enough, disconnects it and returns false. */
  charge(conn: Connection, tokens: number): boolean {
    const source = this.sources.get(conn);
    if (!source || source.isCut) return source === undefined;
    const isFine = this.ofSocket.take(conn, tokens) && (!source.user || this.ofUser.take(source.user, tokens));
    if (!isFine) this.cutOff(conn, source);
    return isFine;
  }

  /** Counts pings of the WebSocket protocol itself, for which Engine.IO has no events. */
  private watchFrames(conn: Connection): void {
    const frames = webSocketOf(conn);
    const count = () => this.charge(conn, 1);
    frames?.on("ping", count);
    frames?.on("pong", count);
  }

  private cutOff(conn: Connection, source: Source): void {
    source.isCut = true;
    const { user, socket } = source;
    const seconds = user ? this.penalties.punish(user) : 0;
    warn({ user: user ?? "not logged in" }, "a socket sent too much and was disconnected");
    socket?.emit("limited", tooManyMessages(seconds));
    const frames = webSocketOf(conn);
    frames?.pause();
    conn.close();
    setTimeout(() => {
      conn.close(true);
      frames?.terminate();
    }, GRACE_MS).unref();
  }
}

export const tooManyMessages = (seconds: number): Limited => ({
  code: "too_many_messages",
  message: `This user's pages sent too many messages. Live updates resume in ${seconds} seconds.`,
  retry_after: seconds,
});

function costOf(data: unknown): number {
  if (typeof data === "string" && data.startsWith(ANNOTATION.start))
    return ANNOTATION.tokens + data.length / ANNOTATION.bytesPerToken;
  const bytes = typeof data === "string" || Buffer.isBuffer(data) ? data.length : 0;
  return 1 + bytes / BYTES_PER_TOKEN;
}

/** The members of `ws`'s WebSocket that are used here. */
interface WebSocketFrames {
  on(event: "ping" | "pong", listener: () => void): void;
  pause(): void;
  terminate(): void;
}

/** Returns the connection's WebSocket; undefined if it uses polling. */
function webSocketOf({ transport }: Connection): WebSocketFrames | undefined {
  return transport.name === "websocket" ? (transport as unknown as { socket: WebSocketFrames }).socket : undefined;
}
