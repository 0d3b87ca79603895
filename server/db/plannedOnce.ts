import type { PostgresCursor, PostgresPool } from "kysely";
import { sql } from "kysely";
import type pg from "pg";
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
            query.endsWith(MARK)
              ? client.query({ name: nameOf(query), text: query, values })
              : client.query(query, values),
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

function nameOf(text: string): string {
  const name = names.get(text) ?? `limn-${names.size + 1}`;
  names.set(text, name);
  return name;
}
