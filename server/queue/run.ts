import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { endsWithin } from "../../shared/async/timeLimit";
import type { Json } from "../../shared/entities/scalars";
import type { TaskProgressEvent } from "../../shared/events";
import { log } from "../base/log";
import { inBackground } from "../db/lanes";
import type { Schema, TaskRow } from "../db/schema";
import { type Claim, endTask, handBack, LEASE_SECONDS } from "./claim";
import { openReport, type Report } from "./report";
import type { TaskFunction } from "./task";
import { failureText, isPassing } from "./taskFailure";

/** One attempt at one task, from its claim to its end. */
export interface Run {
  claim: Claim;
  ended: Promise<void>;
  /** Takes the heartbeat's result: the row, or undefined if the task is no longer ours. */
  heard(row: { cancel_requested: boolean } | undefined): void;
  /** Gives up when the heartbeat has not been heard for so long that another worker may have taken the task. */
  checkLease(): void;
  /** The process stops: abort, and hand back if it has not ended in time. */
  stop(graceMs: number): Promise<void>;
}

export interface RunContext<Extra> {
  db: Kysely<Schema>;
  /** Arguments of the task functions besides the helpers. */
  extra: Extra;
  /** Told at most four times a second and task, and always at its end. */
  announce: (event: TaskProgressEvent & { creator_id: number | null }) => void;
}

type Outcome = { state: "done"; result: Json | undefined } | { state: "failed" | "cancelled" | "again" | "lost" };

const REPORT_MS = 250;
const MAX_ATTEMPTS = 5;

export function startRun<Extra>(
  task: TaskRow,
  claim: Claim,
  work: TaskFunction<Extra>,
  { db, extra, announce }: RunContext<Extra>,
): Run {
  const interruption = new Interruption();
  let heardAt = performance.now();

  const tell = (report: Report, state: TaskRow["state"]) =>
    announce({ id: task.id, ...report.counts(), state, dataset_id: task.dataset_id, creator_id: task.creator_id });

  const storeAndTell = async (report: Report) => {
    const outcome = await report.store();
    if (outcome === "lost") interruption.because("lost");
    if (outcome === "stored") tell(report, "running");
  };

  const attempt = async (report: Report): Promise<Outcome> => {
    if (task.cancel_requested) return { state: "cancelled" };
    if (claim.attempt > MAX_ATTEMPTS) return giveUp(report);
    if (claim.attempt > 1) report.say("WARNING", `The task was interrupted and begins again (try ${claim.attempt}).`);
    tell(report, "running");
    try {
      // It may have been interrupted before it began; a listener to the signal would wait for ever then.
      interruption.signal.throwIfAborted();
      const helpers = { taskId: task.id, attempt: claim.attempt, db, signal: interruption.signal, ...voice(report) };
      return {
        state: "done",
        result: (await inBackground(() => work(task.payload, { ...helpers, ...extra }))) ?? undefined,
      };
    } catch (error) {
      return outcomeOf(error, interruption, report, claim.attempt);
    }
  };

  const settle = async (report: Report, outcome: Outcome) => {
    if (["done", "failed", "cancelled"].includes(outcome.state)) report.end();
    if (outcome.state === "lost" || (await report.store()) === "lost") return;
    if (outcome.state === "again") {
      await handBack(db, claim, interruption.reason !== "stopped");
      return tell(report, "queued");
    }
    if (outcome.state === "done") report.progress(100);
    if (await endTask(db, claim, outcome.state, outcome.state === "done" ? outcome.result : undefined))
      tell(report, outcome.state);
  };

  const all = async () => {
    const report = await openReport(db, claim, task);
    const timer = setInterval(() => storeAndTell(report).catch(() => undefined), REPORT_MS);
    const outcome = await attempt(report);
    clearInterval(timer);
    await untilStored(() => settle(report, outcome), interruption);
  };

  const ended = all().catch((error) => log.error({ err: error, task: task.id }, "a task could not be run"));

  return {
    claim,
    ended,
    heard(row) {
      heardAt = performance.now();
      if (!row) interruption.because("lost");
      else if (row.cancel_requested) interruption.because("cancelled");
    },
    checkLease() {
      if (performance.now() - heardAt > LEASE_SECONDS * 1_000) interruption.because("lost");
    },
    async stop(graceMs) {
      interruption.because("stopped");
      if (!(await endsWithin(graceMs, ended)))
        await handBack(db, claim, false).catch((error) => log.warn({ err: error }, "a task was not handed back"));
    },
  };
}

/** The first reason counts, but that the task belongs to another worker counts always. */
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
  lost: "Another worker has taken this task over.",
  stopped: "The server stops.",
};

function voice(report: Report) {
  return {
    progress: report.progress,
    info: (text: string) => report.say("INFO", text),
    warn: (text: string) => report.say("WARNING", text),
    error: (text: string) => report.say("ERROR", text),
  };
}

function outcomeOf(error: unknown, { reason }: Interruption, report: Report, attempt: number): Outcome {
  if (reason === "lost") return { state: "lost" };
  if (reason === "cancelled") {
    report.say("INFO", TEXTS.cancelled);
    return { state: "cancelled" };
  }
  if (reason === "stopped" || (isPassing(error) && attempt < MAX_ATTEMPTS)) return { state: "again" };
  report.say("ERROR", failureText(error, log));
  return { state: "failed" };
}

function giveUp(report: Report): Outcome {
  report.say("ERROR", `The task is given up: it was interrupted ${MAX_ATTEMPTS} times.`);
  return { state: "failed" };
}

/** Tries again while the database is away, until the lease is over. */
async function untilStored(store: () => Promise<void>, interruption: Interruption): Promise<void> {
  while (interruption.reason !== "lost") {
    try {
      return await store();
    } catch (error) {
      if (!isPassing(error)) throw error;
      log.warn({ err: error }, "cannot store how a task ended; will try again");
      await wait(1_000);
    }
  }
}
