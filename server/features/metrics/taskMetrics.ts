import { type Kysely, sql } from "kysely";
import { Gauge, type Registry } from "prom-client";
import { RecentValue } from "../../base/recentValue";
import type { Schema } from "../../db/schema";

const STATES = ["queued", "running", "done", "failed", "cancelled"] as const;
const TIMES = { limitMs: 2_000, freshMs: 5_000 };

/**
 * Adds the tasks of all processes, read from the database: each server reports the same numbers. They are missing while
 * the database does not respond.
 */
export function addTaskMetrics(registry: Registry, db: Kysely<Schema>): void {
  const recent = new RecentValue(() => countTasks(db), TIMES);
  new Gauge({
    name: "limn_tasks",
    help: "Tasks of all processes by state; those in the state queued are the depth of the queue.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counts = await recent.get();
      this.reset();
      for (const state of counts ? STATES : []) this.set({ state }, counts?.[state] ?? 0);
    },
  });
  new Gauge({
    name: "limn_task_queue_oldest_seconds",
    help: "Age of the oldest task that waits for a worker; 0 if none waits.",
    registers: [registry],
    async collect() {
      const counts = await recent.get();
      this.set(counts?.oldest ?? Number.NaN);
    },
  });
}

/** Returns the number of tasks in each state, and the age in seconds of the oldest queued one. */
async function countTasks(db: Kysely<Schema>): Promise<Record<string, number> & { oldest: number }> {
  const { rows } = await sql<{ state: string; count: number; age: number }>`
    select state, count(*)::int as count,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as age
    from tasks group by state`.execute(db);
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { ...counts, oldest: rows.find(({ state }) => state === "queued")?.age ?? 0 };
}
