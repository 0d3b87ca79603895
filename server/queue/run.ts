import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { endsWithin } from "../../shared/async/timeLimit";
import type { Json } from "../../shared/entities/scalars";
import type { TaskProgressEvent } from "../../shared/events";
import { log } from "../base/log";
import { inSpan } from "../base/traces";
import { inBackground } from "../db/lanes";
import type { Schema, TaskRow } from "../db/schema";
import { type Claim, endTask, LEASE_SECONDS, requeueTask } from "./claim";
import { openReport, type Report } from "./report";
import type { TaskFunction } from "./task";
import { failureText, isTransient } from "./taskFailure";

/** One attempt at one task, from its claim to its end. */
export interface Run {
  claim: Claim;
  ended: Promise<void>;
  /** Applies the result of a heartbeat: the task's row, or undefined if the task no longer belongs to this worker. */
  applyHeartbeat(row: { cancel_requested: boolean } | undefined): void;
  /** Gives up if heartbeats have failed for so long that another worker may have claimed the task. */
  checkLease(): void;
  /** Aborts the task because the process stops, and requeues it if it has not ended in time. */
  stop(graceMs: number): Promise<void>;
}

export interface RunContext<Extra> {
  db: Kysely<Schema>;
  /** Arguments of the task functions besides the helpers. */
  extra: Extra;
  /** Called at most four times a second per task, and always at its end. */
  announce: (event: TaskProgressEvent & { creator_id: number | null }) => void;
  /** Milliseconds before each further attempt after the database or the storage was not available. */
  pausesMs?: readonly number[] | undefined;
}

type Outcome = { state: "done"; result: Json | undefined } | { state: "failed" | "cancelled" | "again" | "lost" };

const REPORT_MS = 250;
const MAX_ATTEMPTS = 5;
/** More than a minute in all, since a restart or an overload takes as long. */
const PAUSES_MS = [2_000, 8_000, 20_000, 40_000];

export function startRun<Extra>(
  task: TaskRow,
  claim: Claim,
  work: TaskFunction<Extra>,
  { db, extra, announce, pausesMs = PAUSES_MS }: RunContext<Extra>,
): Run {
  const interruption = new Interruption();
  let lastHeartbeat = performance.now();

  const announceState = (report: Report, state: TaskRow["state"]) =>
    announce({ id: task.id, ...report.counts(), state, dataset_id: task.dataset_id, creator_id: task.creator_id });

  const storeAndAnnounce = async (report: Report) => {
    const outcome = await report.store();
    if (outcome === "lost") interruption.because("lost");
    if (outcome === "stored") announceState(report, "running");
  };

  const traced = (run: () => ReturnType<typeof work>) =>
    inSpan(`task ${task.kind}`, { "limn.task.id": task.id, "limn.task.attempt": claim.attempt }, async () => run());

  const attempt = async (report: Report): Promise<Outcome> => {
    if (task.cancel_requested && !work.tidiesUp) return { state: "cancelled" };
    if (task.cancel_requested) interruption.because("cancelled");
    if (claim.attempt > MAX_ATTEMPTS) return failAfterLastAttempt(report);
    if (claim.attempt > 1)
      report.addLine("WARNING", `The task was interrupted and starts again (attempt ${claim.attempt}).`);
    announceState(report, "running");
    try {
      // The task may have been interrupted before it started; a listener added to the signal now would wait forever.
      if (!task.cancel_requested) interruption.signal.throwIfAborted();
      const { signal } = interruption;
      const resultSoFar = task.result ?? undefined;
      const helpers = { taskId: task.id, attempt: claim.attempt, resultSoFar, db, signal, ...logTo(report) };
      return {
        state: "done",
        result: (await traced(() => inBackground(() => work(task.payload, { ...helpers, ...extra })))) ?? undefined,
      };
    } catch (error) {
      const outcome = outcomeOf(error, interruption, report, claim.attempt);
      return outcome.state === "again" ? afterPause(report) : outcome;
    }
  };

  /** Waits before the next attempt, unless the process stops. Keeps the task meanwhile, which can be cancelled. */
  const afterPause = async (report: Report): Promise<Outcome> => {
    const ms = pausesMs[claim.attempt - 1] ?? 0;
    try {
      await wait(ms, undefined, { signal: interruption.signal });
      return { state: "again" };
    } catch {
      return outcomeOf(undefined, interruption, report, claim.attempt);
    }
  };

  const settle = async (report: Report, outcome: Outcome) => {
    if (["done", "failed", "cancelled"].includes(outcome.state)) report.end();
    if (outcome.state === "lost" || (await report.store()) === "lost") return;
    if (outcome.state === "again") {
      await requeueTask(db, claim, interruption.reason !== "stopped");
      return announceState(report, "queued");
    }
    if (outcome.state === "done") report.progress(100);
    if (await endTask(db, claim, outcome.state, outcome.state === "done" ? outcome.result : undefined))
      announceState(report, outcome.state);
  };

  const all = async () => {
    const report = await openReport(db, claim, task);
    const timer = setInterval(() => storeAndAnnounce(report).catch(() => undefined), REPORT_MS);
    const outcome = await attempt(report);
    clearInterval(timer);
    await untilStored(() => settle(report, outcome), interruption);
  };

  const ended = all().catch((error) => log.error({ err: error, task: task.id }, "a task could not be run"));

  return {
    claim,
    ended,
    applyHeartbeat(row) {
      lastHeartbeat = performance.now();
      if (!row) interruption.because("lost");
      else if (row.cancel_requested) interruption.because("cancelled");
    },
    checkLease() {
      if (performance.now() - lastHeartbeat > LEASE_SECONDS * 1_000) interruption.because("lost");
    },
    async stop(graceMs) {
      interruption.because("stopped");
      if (!(await endsWithin(graceMs, ended)))
        await requeueTask(db, claim, false).catch((error) => log.warn({ err: error }, "a task could not be requeued"));
    },
  };
}

/** Interruption of an attempt. Keeps the first reason, except that "lost" overrides any other. */
class Interruption {
  reason: keyof typeof TEXTS | undefined;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  because(reason: keyof typeof TEXTS): void {
    if (this.reason && reason !== "lost") return;
    this.reason = reason;
    this.controller.abort(new Error(TEXTS[reason]));
  }
}

const TEXTS = {
  cancelled: "The task was cancelled.",
  lost: "Another worker has taken over this task.",
  stopped: "The server is stopping.",
};

/** Returns the progress, result and log helpers of a task. */
function logTo(report: Report) {
  return {
    progress: report.progress,
    keepResult: report.keepResult,
    info: (text: string) => report.addLine("INFO", text),
    warn: (text: string) => report.addLine("WARNING", text),
    error: (text: string) => report.addLine("ERROR", text),
  };
}

function outcomeOf(error: unknown, { reason }: Interruption, report: Report, attempt: number): Outcome {
  if (reason === "lost") return { state: "lost" };
  if (reason === "cancelled") {
    report.addLine("INFO", TEXTS.cancelled);
    return { state: "cancelled" };
  }
  if (reason === "stopped" || (isTransient(error) && attempt < MAX_ATTEMPTS)) return { state: "again" };
  report.addLine("ERROR", failureText(error, log));
  return { state: "failed" };
}

function failAfterLastAttempt(report: Report): Outcome {
  report.addLine("ERROR", `The task has failed: it was interrupted ${MAX_ATTEMPTS} times.`);
  return { state: "failed" };
}

/** Retries while the database is not available, until the lease expires. */
async function untilStored(store: () => Promise<void>, interruption: Interruption): Promise<void> {
  while (interruption.reason !== "lost") {
    try {
      return await store();
    } catch (error) {
      if (!isTransient(error)) throw error;
      log.warn({ err: error }, "cannot store the outcome of a task; will retry");
      await wait(1_000);
    }
  }
}
