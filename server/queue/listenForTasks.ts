import pg from "pg";
import { log } from "../base/log";
import { KEEP_ALIVE } from "../db/open/database";
import { TASK_CHANNEL } from "./queue";

const RECONNECT_MS = 1_000;

/**
 * Calls `onNotice` whenever a process queues or cancels a task. Uses its own connection, and reconnects when it is
 * lost. Notifications may be missed, so the caller must also poll.
 */
export function listenForTasks(url: string, onNotice: () => void): { close(): Promise<void> } {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const reconnect = (lost: pg.Client) => {
    if (closed || client !== lost) return;
    client = undefined;
    lost.end().catch(() => undefined);
    timer = setTimeout(connect, RECONNECT_MS);
  };

  const connect = async () => {
    const connection = new pg.Client({ connectionString: url, ...KEEP_ALIVE, connectionTimeoutMillis: 5_000 });
    client = connection;
    connection.on("error", () => reconnect(connection));
    connection.on("end", () => reconnect(connection));
    connection.on("notification", onNotice);
    try {
      await connection.connect();
      await connection.query(`listen ${TASK_CHANNEL}`);
      onNotice();
    } catch (error) {
      log.debug({ err: error }, "cannot listen for tasks; will retry");
      reconnect(connection);
    }
  };

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
