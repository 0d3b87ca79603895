/** Milliseconds for a new connection to ask for admission, and for a refused one to close. */
const SILENT_MS = 10_000;

/** The part of an Engine.IO connection that is used here. */
interface Connection {
  readonly readyState: string;
  close(): void;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Closes connections that do not ask for admission, or stay open after a refusal. Those that wait for their turn are
 * left open: on a busy server after a restart that may take long, and a client that is closed would only ask again.
 */
export class Unadmitted {
  private readonly timers = new Map<Connection, NodeJS.Timeout>();
  private readonly asked = new WeakSet<Connection>();

  /** Starts with a new connection, which may already have asked: clients of Socket.IO 2.x do so by connecting. */
  watch(conn: Connection): void {
    if (!this.asked.has(conn)) this.closeLater(conn);
    conn.once("close", () => this.stop(conn));
  }

  /** The connection asks for admission. A second time, after a refusal, does not keep it open. */
  ask(conn: Connection): void {
    if (!this.asked.has(conn)) this.stop(conn);
    this.asked.add(conn);
  }

  /** The connection was refused. */
  refused(conn: Connection): void {
    if (conn.readyState === "open" && !this.timers.has(conn)) this.closeLater(conn);
  }

  private stop(conn: Connection): void {
    clearTimeout(this.timers.get(conn));
    this.timers.delete(conn);
  }

  private closeLater(conn: Connection): void {
    const timer = setTimeout(() => conn.close(), SILENT_MS);
    timer.unref();
    this.timers.set(conn, timer);
  }
}
