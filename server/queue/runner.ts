import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { Rerun } from "../../shared/async/rerun";
import { log } from "../base/log";
import type { TaskRow } from "../db/schema";
import { type Claim, claimTask, renewLeases, requeueRunningTasks } from "./claim";
import { listenForTasks } from "./listenForTasks";
import { type Run, type RunContext, startRun } from "./run";
import type { TaskFunction } from "./task";

/** The worker of one process: claims tasks from the queue and runs several at a time. */
export interface Runner {
  /** Checks the queue now, e.g. after a task was added. */
  wake(): void;
  /** Stops claiming, aborts running tasks, and requeues those that do not end within `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

export interface RunnerOptions<Extra> extends RunContext<Extra> {
  /** This worker's task functions, by kind; other tasks stay in the queue. */
  kinds: Record<string, TaskFunction<Extra>>;
  /** Number of tasks at a time; 0 for none. */
  concurrency: number;
  /** Address of the PostgreSQL server that notifies of new tasks. Without it, only `wake` and polling find them. */
  listenUrl?: string | undefined;
  /**
   * True if no other process runs tasks of this database: a task that seems to be running at startup was left by a dead
   * process.
   */
  alone?: boolean;
}

const HEARTBEAT_MS = 5_000;
/**
 * Interval for checking the queue without a notification, since notifications may be lost and leases expire silently.
 */
const POLL_MS = { min: 1_000, max: 3_000 };
const GRACE_MS = 10_000;

export function startRunner<Extra>(options: RunnerOptions<Extra>): Runner {
  const { db, kinds, concurrency } = options;
  const worker = `${hostname()}-${process.pid}-${randomUUID()}`;
  const runs = new Set<Run>();
  let stopped = false;

  // Runs before the first claim, which would otherwise be requeued while its task is running here.
  const ready = options.alone ? requeueRunningTasks(db).catch(logFailure) : Promise.resolve();

  /** Claims tasks until enough are running or the queue is empty. */
  const fill = rerunLogged(async () => {
    await ready;
    while (!stopped && runs.size < concurrency) {
      const task = await claimTask(db, worker, Object.keys(kinds));
      if (!task) return;
      begin(task);
    }
  });

  const begin = (task: TaskRow) => {
    const claim: Claim = { id: task.id, worker, attempt: task.attempts };
    const run = startRun(task, claim, kinds[task.kind] as TaskFunction<Extra>, options);
    runs.add(run);
    run.ended.then(() => {
      runs.delete(run);
      wake();
    });
  };

  const beat = rerunLogged(async () => {
    if (runs.size === 0) return;
    const present = [...runs];
    const rows = await renewLeases(db, worker);
    for (const run of present)
      run.applyHeartbeat(rows.find((row) => row.id === run.claim.id && row.attempts === run.claim.attempt));
  });

  const wake = () => {
    if (stopped) return;
    void fill();
    void beat();
  };

  const checkLeases = () => {
    for (const run of runs) run.checkLease();
  };
  const heartbeat = setInterval(() => {
    checkLeases();
    void beat();
  }, HEARTBEAT_MS);
  const poll = setInterval(() => void fill(), POLL_MS.min + Math.random() * (POLL_MS.max - POLL_MS.min));
  const listener = options.listenUrl ? listenForTasks(options.listenUrl, wake) : undefined;
  void ready.then(wake);

  const stop = async (graceMs: number) => {
    stopped = true;
    clearInterval(poll);
    await listener?.close();
    await ready;
    await fill();
    await Promise.all([...runs].map((run) => run.stop(graceMs)));
    clearInterval(heartbeat);
    await beat();
  };
  let stopping: Promise<void> | undefined;

  return {
    wake,
    stop(graceMs = GRACE_MS) {
      stopping ??= stop(graceMs);
      return stopping;
    },
  };
}

/** Returns a function that requests a run of `work`, see Rerun. Errors are only logged, since another run follows. */
function rerunLogged(work: () => Promise<void>): () => Promise<void> {
  const rerun = new Rerun(() => work().catch(logFailure));
  return () => rerun.request();
}

function logFailure(error: unknown): void {
  log.warn({ err: error }, "the task queue cannot be reached; will retry");
}
