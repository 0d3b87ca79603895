import { Kysely, type LogEvent, PostgresDialect, type PostgresPool } from "kysely";
import { currentTraces } from "../base/traces";
import { notingCommits } from "./commands/notedCommits";
import type { Schema } from "./schema";

/** Returns the query builder over a pool of pg or of the embedded database. */
export function makeKysely(pool: PostgresPool): Kysely<Schema> {
  const dialect = new PostgresDialect({ pool: notingCommits(pool) });
  return new Kysely<Schema>(currentTraces() ? { dialect, log: traceStatement } : { dialect });
}

/** Adds a span for a statement. Its text has placeholders instead of values. */
function traceStatement({ query, queryDurationMillis: ms, ...event }: LogEvent): void {
  const text = query.sql.trim();
  const [operation = ""] = /^\w+/.exec(text) ?? [];
  currentTraces()?.addCall(
    operation.toUpperCase(),
    {
      "db.system.name": "postgresql",
      "db.operation.name": operation.toUpperCase(),
      "db.query.text": text.slice(0, 2_000),
    },
    { ms, ...("error" in event && { error: event.error }) },
  );
}
