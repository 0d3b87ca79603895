import { once } from "node:events";
import type { ResourceLimits, Worker } from "node:worker_threads";
import { startThread } from "./startThread";

/** A thread for work that would hold up everybody whom the server answers. It does one thing after another. */
export interface Thread<Question, Answer> {
  /**
   * One question at a time. Throws an Error with what the thread says where it has no answer, the signal's reason, or
   * what broke the thread.
   */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  /** After the last answer; before it what is being done is given up. */
  end(): void;
}

/** Message from a thread, see `answerQuestions`. */
export type Sent<Answer> = { answer: Answer } | { failed: string };

/** A thread takes a while to start: it waits as long for the next work. */
const IDLE_MS = 60_000;

/**
 * Returns a function that takes a thread of `module` (see `startThread`), one that waits or a new one. It is the caller's until its end, and
 * then waits `idleMs` for other work. `heap`: megabytes of the old objects, or limits of its own.
 */
export function threadsOf<Question, Answer>(
  module: URL,
  heap: number | ResourceLimits,
  idleMs = IDLE_MS,
): () => Thread<Question, Answer> {
  const idle = new Set<Worker>();
  const resourceLimits = typeof heap === "number" ? { maxOldGenerationSizeMb: heap } : heap;

  function start(): Worker {
    const worker = startThread(module, { resourceLimits });
    worker.on("error", () => idle.delete(worker));
    return worker;
  }

  /** It does not keep the process alive. */
  function letWait(worker: Worker): void {
    worker.unref();
    idle.add(worker);
    setTimeout(() => {
      if (idle.delete(worker)) void worker.terminate();
    }, idleMs).unref();
  }

  return () => {
    const [waiting] = idle;
    const worker = waiting ?? start();
    idle.delete(worker);
    worker.ref();
    let isBusy = false;
    return {
      async ask(question, signal) {
        if (worker.threadId < 0) throw new Error("The thread has ended.");
        isBusy = true;
        worker.postMessage(question);
        // Rejects when the thread breaks down meanwhile.
        const [sent] = (await once(worker, "message", { signal })) as [Sent<Answer>];
        isBusy = false;
        if ("failed" in sent) throw new Error(sent.failed);
        return sent.answer;
      },
      end() {
        if (isBusy) void worker.terminate();
        else letWait(worker);
      },
    };
  };
}
