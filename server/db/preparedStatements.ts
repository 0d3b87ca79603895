import type { PostgresCursor, PostgresPool } from "kysely";
import { sql } from "kysely";
import pg from "pg";
import { codeOf } from "../base/errors";
import { SilenceLimit } from "./silenceLimit";

const MARK = "/* planned once */";

/**
 * Marks a query (with `modifyEnd`) as a prepared statement: for queries that every request makes and whose best plan is
 * the same for all values, such as one row by its key. Each connection parses and plans such a query once, which takes
 * far longer than running it. Not for lists, where a generic plan is slow for every value.
 */
export const preparedStatement = sql`${sql.raw(MARK)}`;

/**
 * Wraps the pool of a PostgreSQL server so that marked queries are prepared statements. Drops a connection whose server
 * has not responded for `silenceMs` milliseconds.
 */
export function withPreparedStatements(pool: pg.Pool, silenceMs: number): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      const silence = new SilenceLimit(silenceMs);
      return {
        query: ((query: string | PostgresCursor<unknown>, values: unknown[]) => {
          if (typeof query !== "string") return client.query(query as never);
          return silence.limit(query, () =>
            query.endsWith(MARK) ? askPlanned(client, query, values) : client.query(query, values),
          );
        }) as never,
        release: () => client.release(silence.lost),
      };
    },
    end: () => pool.end(),
  };
}

/** Names of statements by their text: one for each marked query in the code. */
const names = new Map<string, string>();
let lastName = 0;

function nameOf(text: string): string {
  const name = names.get(text) ?? `limn-${++lastName}`;
  names.set(text, name);
  return name;
}

/**
 * Runs a marked query. A newer Limn may change a table while this version runs, and PostgreSQL then refuses a prepared
 * statement whose result type has changed. The query then gets a new name, and so a new plan on every connection.
 * Inside a transaction, which has failed by then, throws a serialization failure (SQLSTATE 40001), so that the
 * transaction is retried.
 */
async function askPlanned(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const name = nameOf(text);
  try {
    return await client.query({ name, text, values });
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error;
    if (names.get(text) === name) names.delete(text);
    return client.query({ name: nameOf(text), text, values }).catch((again: unknown) => {
      throw codeOf(again) === "25P02" ? Object.assign(error, { code: "40001" }) : again;
    });
  }
}

/**
 * Returns true for "cached plan must not change result type", recognised by its source function: the text is localized.
 */
function isOutdatedPlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}
