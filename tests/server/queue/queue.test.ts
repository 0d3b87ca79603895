import { sql } from "kysely";
import { afterEach, beforeAll, expect, it } from "vitest";
import { unavailable } from "../../../server/base/errors";
import { transaction } from "../../../server/db/transaction";
import { claimTask, requeueTask } from "../../../server/queue/claim";
import { enqueue, type NewTask, requestCancel } from "../../../server/queue/queue";
import { LAST_LINES, MAX_CHARACTERS, MAX_LINES } from "../../../server/queue/report";
import { startRun } from "../../../server/queue/run";
import { type Runner, type RunnerOptions, startRunner } from "../../../server/queue/runner";
import type { TaskFunction } from "../../../server/queue/task";
import type { Json } from "../../../shared/entities/scalars";
import { describeOnBothDatabases, type TestDatabase } from "../../support/databases";

type Announcement = Parameters<RunnerOptions<object>["announce"]>[0];

describeOnBothDatabases("task queue", (open) => {
  let database: TestDatabase;
  let runners: Runner[] = [];
  beforeAll(async () => {
    database = await open();
  });
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
    runners = [];
  });

  let kindNumber = 0;
  /** Every test has its own kind, so that none takes another's tasks. */
  const newKind = () => `kind${++kindNumber}`;

  const add = (task: Partial<NewTask> & { kind: string }) =>
    transaction(database.db, (trx) =>
      enqueue(trx, {
        name: "A task",
        key: crypto.randomUUID(),
        payload: {},
        creatorId: null,
        datasetId: null,
        ...task,
      }),
    );

  const run = (kind: string, work: TaskFunction<object>, options: Partial<RunnerOptions<object>> = {}) => {
    const announced: Announcement[] = [];
    const announce = (event: Announcement) => announced.push(event);
    const listenUrl = database.url;
    const { db } = database;
    const runner = startRunner({
      db,
      kinds: { [kind]: work },
      extra: {},
      concurrency: 2,
      announce,
      listenUrl,
      ...options,
    });
    runners.push(runner);
    return { runner, announced };
  };

  const rowOf = (id: number) =>
    database.db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const logOf = async (id: number) => {
    const lines = await database.db
      .selectFrom("task_logs")
      .selectAll()
      .where("task_id", "=", id)
      .orderBy("line")
      .execute();
    return lines.map(({ level, text }) => `${level} ${text}`);
  };
  const until = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const ended = (id: number) =>
    until(async () => {
      const row = await rowOf(id);
      return ["done", "failed", "cancelled"].includes(row.state) && row;
    });
  const inState = (id: number, state: string) => until(async () => (await rowOf(id)).state === state);
  /** Lets the lease of 30 seconds expire. */
  const letLeaseRunOut = (id: number) =>
    sql`update tasks set lease_until = now() - interval '1 s' where id = ${id}`.execute(database.db);
  const forever = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  it("runs a task with its payload and stores result, counts and log", async () => {
    const kind = newKind();
    const { announced } = run(kind, async (payload, { info, warn, error, progress }) => {
      info("begun\nwith two lines");
      warn("careful");
      error("missing: a\0.jpg");
      progress(50);
      return { got: payload.value as Json };
    });
    const { id } = await add({ kind, payload: { value: [1, "a"] } });
    expect(await ended(id)).toMatchObject({
      state: "done",
      progress: 100,
      warnings: 1,
      errors: 1,
      result: { got: [1, "a"] },
      attempts: 1,
      worker: null,
      lease_until: null,
    });
    expect(await logOf(id)).toEqual(["INFO begun with two lines", "WARNING careful", "ERROR missing: a .jpg"]);
    await until(async () => announced.at(-1)?.state === "done");
    expect(announced.at(-1)).toEqual({
      id,
      progress: 100,
      warnings: 1,
      errors: 1,
      state: "done",
      dataset_id: null,
      creator_id: null,
    });
  });

  it("returns the running task for an equal request, and a new one after it has ended", async () => {
    const kind = newKind();
    const key = `scan:${kind}`;
    const [first, second] = await Promise.all([add({ kind, key, name: "Scan" }), add({ kind, key, name: "Scan" })]);
    expect(first?.id).toBe(second?.id);
    expect([first?.existing, second?.existing].sort()).toEqual([false, true]);
    run(kind, async () => undefined);
    await ended(first?.id ?? 0);
    expect(await add({ kind, key })).toMatchObject({ existing: false });
  });

  it("ignores a task whose transaction was rolled back", async () => {
    const kind = newKind();
    await transaction(database.db, async (trx) => {
      await enqueue(trx, { kind, name: "x", key: kind, payload: {}, creatorId: null, datasetId: null });
      throw new Error("no");
    }).catch(() => undefined);
    expect(await database.db.selectFrom("tasks").select("id").where("kind", "=", kind).execute()).toEqual([]);
  });

  it("runs each of many tasks once, with several runners", async () => {
    const kind = newKind();
    const seen: number[] = [];
    const work: TaskFunction<object> = async (payload) => {
      seen.push(Number(payload.n));
    };
    const ids = [];
    for (let n = 0; n < 60; n++) ids.push((await add({ kind, payload: { n } })).id);
    for (let i = 0; i < 3; i++) run(kind, work, { concurrency: 3 });
    for (const id of ids) expect((await ended(id)).attempts).toBe(1);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  it("leaves unknown kinds of task to other workers", async () => {
    const kind = newKind();
    const other = newKind();
    run(kind, async () => undefined);
    const unknown = await add({ kind: other });
    const known = await add({ kind });
    await ended(known.id);
    expect((await rowOf(unknown.id)).state).toBe("queued");
  });

  it("cancels a queued task at once and a running one when its worker is notified", async () => {
    const kind = newKind();
    const queued = await add({ kind });
    expect(await requestCancel(database.db, queued.id)).toBe("cancelled");
    expect(await requestCancel(database.db, queued.id)).toBeUndefined();
    const { runner, announced } = run(kind, (_, { signal }) => forever(signal));
    const running = await add({ kind });
    runner.wake();
    await inState(running.id, "running");
    expect(await requestCancel(database.db, running.id)).toBe("running");
    runner.wake();
    expect((await ended(running.id)).state).toBe("cancelled");
    expect(await logOf(running.id)).toEqual(["INFO The task was cancelled."]);
    await until(async () => announced.at(-1)?.state === "cancelled");
    expect((await rowOf(queued.id)).attempts).toBe(0);
  });

  it("leaves the cancelling of a task that is in the queue again to its next worker", async () => {
    const kind = newKind();
    const { id } = await add({ kind });
    const task = await claimTask(database.db, "dead", [kind]);
    await requeueTask(database.db, { id, worker: "dead", attempt: task!.attempts }, false);
    expect(await requestCancel(database.db, id)).toBe("queued");
    expect(await rowOf(id)).toMatchObject({ state: "queued", attempts: 0, cancel_requested: true, finished_at: null });
    run(kind, async () => undefined);
    expect(await ended(id)).toMatchObject({ state: "cancelled", finished_at: expect.any(Date) });
  });

  it("runs a task that was cancelled before its worker died only if it tidies up, and with an aborted signal", async () => {
    const [plain, tidying] = [newKind(), newKind()];
    const ran: string[] = [];
    const work =
      (name: string): TaskFunction<object> =>
      async (_, { signal }) => {
        ran.push(`${name} ${signal.aborted}`);
        signal.throwIfAborted();
      };
    for (const kind of [plain, tidying]) {
      const { id } = await add({ kind });
      await claimTask(database.db, "dead", [kind]);
      expect(await requestCancel(database.db, id)).toBe("running");
      await database.db
        .updateTable("tasks")
        .set({ lease_until: new Date(0) })
        .where("id", "=", id)
        .execute();
      run(kind, Object.assign(work(kind), kind === tidying && { tidiesUp: true as const }));
      expect((await ended(id)).state).toBe("cancelled");
    }
    expect(ran).toEqual([`${tidying} true`]);
  });

  it("does not start a task that is cancelled while it is being claimed", async () => {
    const kind = newKind();
    const { id } = await add({ kind });
    const task = await claimTask(database.db, "worker", [kind]);
    if (!task) throw new Error("not claimed");
    let started = false;
    const claim = { id, worker: "worker", attempt: 1 };
    const work = async () => {
      started = true;
    };
    const run = startRun(task, claim, work, { db: database.db, extra: {}, announce: () => undefined });
    run.applyHeartbeat({ cancel_requested: true });
    await run.ended;
    expect((await rowOf(id)).state).toBe("cancelled");
    expect(started).toBe(false);
  });

  it.each([
    ["reports the task's own error", new Error("There is no folder."), /^There is no folder\.$/],
    [
      "hides folders of the server",
      new Error("Cannot read '/srv/data/a b/x.jpg'"),
      /^Cannot read 'x\.jpg'$|^(?!.*\/srv)/,
    ],
    [
      "hides the message of a bug",
      new TypeError("x is not a function"),
      /^Something went wrong on the server \(number [0-9a-f]{12} in/,
    ],
    [
      "hides a system error",
      Object.assign(new Error("ENOENT: no such file, open '/etc/x'"), { code: "ENOENT" }),
      /^Something went wrong/,
    ],
    ["reports a full disk", Object.assign(new Error("x"), { code: "ENOSPC" }), /disk is full/],
  ])("fails and %s", async (_, error, text) => {
    const kind = newKind();
    run(kind, async () => {
      throw error;
    });
    const { id } = await add({ kind });
    expect(await ended(id)).toMatchObject({ state: "failed", errors: 1, result: null });
    const [line] = await logOf(id);
    expect(line).toMatch(/^ERROR /);
    expect(line?.slice(6)).toMatch(text);
  });

  it("retries when the database disappeared under the task, and gives up after five tries", async () => {
    const kind = newKind();
    const tries: number[] = [];
    const work = async (_: unknown, { attempt }: { attempt: number }) => {
      tries.push(attempt);
      throw Object.assign(new Error("terminating connection"), { code: "57P01" });
    };
    run(kind, work, { pausesMs: [] });
    const { id } = await add({ kind });
    expect((await ended(id)).state).toBe("failed");
    expect(tries).toEqual([1, 2, 3, 4, 5]);
    expect((await logOf(id)).at(-1)).toBe("ERROR The database is not responding.");
  });

  it("waits longer before each retry, unless the task is cancelled or the process stops", async () => {
    const kind = newKind();
    const starts: number[] = [];
    const work = async () => {
      starts.push(performance.now());
      throw unavailable("The storage is overloaded. Please try again.");
    };
    const { runner } = run(kind, work, { pausesMs: [100, 400, 60_000] });
    const [cancelled, kept] = [await add({ kind }), await add({ kind: newKind() })];
    await expect.poll(() => starts.length).toBe(3);
    const [first = 0, second = 0, third = 0] = starts;
    expect(second - first).toBeGreaterThanOrEqual(99);
    expect(third - second).toBeGreaterThanOrEqual(399);
    expect((await rowOf(cancelled.id)).state).toBe("running");
    await transaction(database.db, (trx) => requestCancel(trx, cancelled.id));
    runner.wake();
    expect((await ended(cancelled.id)).state).toBe("cancelled");

    const { runner: other } = run((await rowOf(kept.id)).kind, work, { pausesMs: [60_000] });
    await expect.poll(() => starts.length).toBe(4);
    await other.stop();
    expect(await rowOf(kept.id)).toMatchObject({ state: "queued", attempts: 0 });
  });

  it("takes over a task whose worker died, and gives up one that kills every worker", async () => {
    const kind = newKind();
    const die = (attempts: number) =>
      sql`insert into tasks (kind, name, key, state, worker, attempts, lease_until)
        values (${kind}, 'x', ${crypto.randomUUID()}, 'running', 'dead', ${attempts}, now() - interval '1 s') returning id`
        .execute(database.db)
        .then(({ rows }) => (rows[0] as { id: number }).id);
    const once = await die(1);
    const often = await die(5);
    run(kind, async () => "finished");
    expect(await ended(once)).toMatchObject({ state: "done", result: "finished", attempts: 2 });
    expect(await logOf(once)).toEqual(["WARNING The task was interrupted and starts again (attempt 2)."]);
    expect(await ended(often)).toMatchObject({ state: "failed" });
    expect(await logOf(often)).toEqual(["ERROR The task has failed: it was interrupted 5 times."]);
  });

  it("fences off a worker that lost its task: it is stopped, and its writes do not count", async () => {
    const kind = newKind();
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const stale = run(kind, async (_, { signal, info, attempt }) => {
      if (attempt > 1) return "second";
      await forever(signal).catch(() => undefined);
      info("from the grave");
      await gate;
      return "first";
    });
    const { id } = await add({ kind });
    await inState(id, "running");
    await letLeaseRunOut(id);
    const fresh = run(kind, async () => "second", { concurrency: 1 });
    fresh.runner.wake();
    expect(await ended(id)).toMatchObject({ result: "second", attempts: 2 });
    stale.runner.wake();
    goOn();
    await stale.runner.stop();
    expect(await rowOf(id)).toMatchObject({ state: "done", result: "second" });
    expect(await logOf(id)).toEqual(["WARNING The task was interrupted and starts again (attempt 2)."]);
  });

  it("takes over at once from a dead worker whose lease was made an hour longer by a clock that was set back", async () => {
    const kind = newKind();
    const { id } = await add({ kind });
    await claimTask(database.db, "dead", [kind]);
    expect(await claimTask(database.db, "next", [kind])).toBeUndefined();
    await sql`update tasks set lease_until = lease_until + interval '1 hour' where id = ${id}`.execute(database.db);
    expect(await claimTask(database.db, "next", [kind])).toMatchObject({ id, worker: "next", attempts: 2 });
    expect(await claimTask(database.db, "third", [kind])).toBeUndefined();
    // The opposite change: the lease of a live worker seems to have expired. It is fenced off, like any worker that was
    // too slow.
    await sql`update tasks set lease_until = lease_until - interval '1 hour' where id = ${id}`.execute(database.db);
    expect(await claimTask(database.db, "third", [kind])).toMatchObject({ id, worker: "third", attempts: 3 });
  });

  it("hands a task back when the process stops, and another worker finishes it without counting a failure", async () => {
    const kind = newKind();
    const first = run(kind, (_, { signal }) => forever(signal));
    const { id } = await add({ kind });
    await inState(id, "running");
    await first.runner.stop();
    expect(await rowOf(id)).toMatchObject({ state: "queued", worker: null, attempts: 0 });
    run(kind, async () => "done");
    expect(await ended(id)).toMatchObject({ state: "done", attempts: 1 });
  });

  it("hands back a task that ignores the stop, and lets a task that is about to end finish", async () => {
    const kind = newKind();
    const deaf = run(kind, () => new Promise<void>(() => undefined));
    const { id } = await add({ kind });
    await inState(id, "running");
    await deaf.runner.stop(50);
    expect(await rowOf(id)).toMatchObject({ state: "queued", worker: null });
    const quick = run(kind, async (_, { signal }) => {
      await forever(signal).catch(() => undefined);
      return "just in time";
    });
    await inState(id, "running");
    await quick.runner.stop();
    expect(await rowOf(id)).toMatchObject({ state: "done", result: "just in time" });
  });

  it("claims what a dead process left at startup, if no other process uses the database", async () => {
    const kind = newKind();
    const { rows } = await sql<{ id: number }>`insert into tasks (kind, name, key, state, worker, attempts, lease_until)
      values (${kind}, 'x', ${kind}, 'running', 'dead', 1, now() + interval '1 h') returning id`.execute(database.db);
    run(kind, async () => undefined, { alone: true });
    expect(await ended(rows[0]?.id ?? 0)).toMatchObject({ state: "done", attempts: 2 });
  });

  it("caps the log of a verbose task, keeps its end, and continues counting", async () => {
    const kind = newKind();
    run(kind, async (_, { warn }) => {
      for (let n = 0; n < MAX_LINES + 200; n++) warn(`${n} ${"x".repeat(20)}`);
      warn("y".repeat(1_000_000));
      throw new Error("The last word.");
    });
    const { id } = await add({ kind });
    expect(await ended(id)).toMatchObject({ state: "failed", warnings: MAX_LINES + 201, errors: 1 });
    const lines = await logOf(id);
    const [full, leftOut] = lines.slice(MAX_LINES);
    expect(full).toMatch(/The log is full/);
    expect(leftOut).toBe(`INFO ${202 - LAST_LINES} lines are omitted here.`);
    expect(lines).toHaveLength(MAX_LINES + 2 + LAST_LINES);
    expect(lines.at(-1)).toBe("ERROR The last word.");
    expect(lines.at(-2)).toMatch(/^WARNING y{2000}$/);
    expect(lines.at(-3)).toMatch(new RegExp(`^WARNING ${MAX_LINES + 199} x`));
  });

  it("caps a log of long lines by its size, also over several tries", async () => {
    const kind = newKind();
    const { rows } = await sql<{ id: number }>`
      insert into tasks (kind, name, key, attempts) values (${kind}, 'x', ${kind}, 1) returning id`.execute(
      database.db,
    );
    const id = rows[0]?.id ?? 0;
    const full = [{ task_id: id, line: 1, level: "WARNING" as const, text: "z".repeat(MAX_CHARACTERS) }];
    await database.db.insertInto("task_logs").values(full).execute();
    run(kind, async (_, { warn }) => {
      for (let n = 0; n < 1_000; n++) warn(`${n} ${"x".repeat(3_000)}`);
    });
    expect((await ended(id)).warnings).toBe(1_001);
    const lines = await logOf(id);
    expect(lines).toHaveLength(1 + 1 + LAST_LINES);
    expect(lines.join("").length).toBeLessThan(MAX_CHARACTERS + (LAST_LINES + 1) * 2_000);
    expect(lines.at(-1)).toMatch(/^WARNING 999 x+$/);
  });

  it("announces progress only a few times, however often it changes", async () => {
    const kind = newKind();
    const { announced } = run(kind, async (_, { progress }) => {
      for (let n = 0; n <= 100_000; n++) progress(n / 1_000);
      progress(Number.NaN);
      progress(1_000);
    });
    const { id } = await add({ kind });
    await ended(id);
    await until(async () => announced.at(-1)?.state === "done");
    expect(announced.length).toBeLessThan(20);
    expect(announced.at(-1)?.progress).toBe(100);
  });
});
