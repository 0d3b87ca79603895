import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import utils from "pg/lib/utils.js";
import type { PoolLoad } from "../../base/poolLoad";
import { makePause } from "../../threads/makePause";
import { isInBackground, Lanes } from "../lanes";
import { valueTypes } from "../types";
import type { PgliteThread, TextResult } from "./pgliteThread";

/**
 * The embedded database as a pg.Pool of one connection, so that both databases share one code path. pg's own functions
 * convert parameters and results, so both databases return the same types.
 */
export interface PglitePool extends PostgresPool {
  connect(): Promise<PostgresPoolClient>;
  /** Returns the milliseconds since the last request; upkeep and tasks do not count. */
  quietMs(): number;
  load(): PoolLoad;
}

/** Source of the pool's thread, which may be replaced after a crash. */
export interface ThreadSource {
  current(): PgliteThread;
  close(): Promise<void>;
}

export interface PglitePoolOptions {
  /** Milliseconds that a caller waits for the connection. */
  checkout?: number;
  /** Milliseconds that a transaction may be idle between two queries before it is rolled back. */
  idle?: number;
  /** Called before each result is returned. Throws if the data may not have been stored, see watchFolder. */
  check?: () => void;
}

export function pglitePool(
  source: ThreadSource,
  { check = () => undefined, checkout = 10_000, idle = 15_000 }: PglitePoolOptions = {},
): PglitePool {
  const line = new Lanes();
  let isTaken = false;
  let lastRequest = performance.now();

  const passConnection = () => {
    const next = line.next();
    if (next) next.take();
    else isTaken = false;
  };

  const take = () => {
    if (!isTaken) {
      isTaken = true;
      return Promise.resolve();
    }
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        line.remove(waiter);
        reject(checkoutTimeout(checkout));
      }, checkout);
      const waiter = {
        take: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      line.add(waiter);
    });
  };

  return {
    quietMs: () => performance.now() - lastRequest,
    load: () => ({ connections: 1, used: isTaken ? 1 : 0, waiting: line.size }),
    async connect() {
      if (!isInBackground()) lastRequest = performance.now();
      await take();
      return pgliteClient(checked(source.current(), check), passConnection, idle);
    },
    async end() {
      await take();
      await source.close();
      passConnection();
    },
  };
}

/**
 * Returns an error with SQLSTATE 53300, too many connections. The usual cause is a call on `db` inside a transaction on
 * `db`.
 */
function checkoutTimeout(milliseconds: number): Error {
  const message = `no database connection became free in ${milliseconds} ms (inside a transaction use only trx)`;
  return Object.assign(new Error(message), { code: "53300" });
}

/** Returns an error with SQLSTATE 25P03, like that of a PostgreSQL server with idle_in_transaction_session_timeout. */
function idleTimeout(): Error {
  return Object.assign(new Error("the transaction was idle for too long and is rolled back"), { code: "25P03" });
}

/**
 * Returns a thread that runs `check` after each query, even after a failed one: an error of `check` is then the cause.
 */
function checked(thread: PgliteThread, check: () => void): Pick<PgliteThread, "query"> {
  return {
    query: async (sql, params) => {
      const answer = await thread.query(sql, params).catch((error: unknown) => {
        check();
        throw error;
      });
      check();
      return answer;
    },
  };
}

function pgliteClient(
  thread: Pick<PgliteThread, "query">,
  passConnection: () => void,
  idleMilliseconds: number,
): PostgresPoolClient {
  let ended: Error | undefined;
  let idle: NodeJS.Timeout | undefined;

  const rollBackIdle = () => {
    ended = idleTimeout();
    thread.query("rollback", []).then(passConnection, passConnection);
  };
  const watch = () => {
    if (!ended) idle = setTimeout(rollBackIdle, idleMilliseconds);
  };

  async function query<R>(sql: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    if (ended) throw ended;
    clearTimeout(idle);
    try {
      const params = parameters.map((value) => utils.prepareValue(value));
      return await readResult<R>(sql, await thread.query(sql, params));
    } finally {
      watch();
    }
  }

  watch();
  return {
    query: query as PostgresPoolClient["query"],
    release() {
      clearTimeout(idle);
      if (ended) return;
      ended = new Error("this connection was released");
      passConnection();
    },
  };
}

/** Converts row by row and pauses in between: a shape of 100,000 points alone takes ten milliseconds. */
export async function readResult<R>(
  sql: string,
  { rows, fields, command, rowCount }: TextResult,
): Promise<PostgresQueryResult<R>> {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, read: valueTypes.getTypeParser(dataTypeID, "text") }));
  const pause = makePause();
  const read: unknown[] = [];
  for (const row of rows) {
    const entries = columns.map(({ name, read }, index) => {
      const text = row[index];
      return [name, text === null || text === undefined ? null : read(text)];
    });
    read.push(Object.fromEntries(entries));
    await pause();
  }
  return {
    command: (command ?? firstWord(sql)) as PostgresQueryResult<R>["command"],
    rowCount: rowCount ?? rows.length,
    rows: read as R[],
  };
}

function firstWord(sql: string): string {
  return /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? "";
}
