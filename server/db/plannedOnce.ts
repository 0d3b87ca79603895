import type { PostgresCursor, PostgresPool } from "kysely";
import { sql } from "kysely";
import pg from "pg";
import { codeOf } from "../base/errors";
import { Patience } from "./patience";

const MARK = "/* planned once */";

/**
 * At the end of a query (`modifyEnd`), for those that every request asks and whose best plan is the same for all values:
 * one row by its key. Each connection parses and plans them once, which takes far longer than running them. Not for
 * lists: there a plan for any value is a bad plan for each.
 */
export const plannedOnce = sql`${sql.raw(MARK)}`;

/**
 * The pool of a PostgreSQL server, with marked queries as prepared statements. A connection whose server says nothing for
 * `silenceMs` milliseconds is given up.
 */
export function planningOnce(pool: pg.Pool, silenceMs: number): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      const patience = new Patience(silenceMs);
      return {
        query: ((query: string | PostgresCursor<unknown>, values: unknown[]) => {
          if (typeof query !== "string") return client.query(query as never);
          return patience.answer(query, () =>
            query.endsWith(MARK) ? askPlanned(client, query, values) : client.query(query, values),
          );
        }) as never,
        release: () => client.release(patience.lost),
      };
    },
    end: () => pool.end(),
  };
}

/** Names of statements by their text; there are as many as marked queries in the code. */
const names = new Map<string, string>();
let lastName = 0;

function nameOf(text: string): string {
  const name = names.get(text) ?? `limn-${++lastName}`;
  names.set(text, name);
  return name;
}

/**
 * A newer Limn may change a table while this one runs, and a prepared statement with another result is refused from then on:
 * it gets another name, and so another plan, on every connection. Inside a transaction, which is lost by then, the
 * error is a serialization failure (SQLSTATE 40001): the transaction is run anew.
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

/** "cached plan must not change result type", told by the function of PostgreSQL that says so in many languages. */
function isOutdatedPlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}
