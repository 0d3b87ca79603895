import { once } from "node:events";
import type { ResourceLimits, TransferListItem, Worker } from "node:worker_threads";
import { startThread } from "./startThread";

/** A thread for work that would block the server's other requests. It answers one question at a time. */
export interface Thread<Question, Answer> {
  /**
   * Sends a question and returns the answer; one at a time. Throws an Error with the thread's message if it fails, the
   * signal's reason, or the error that ended the thread. Objects in `transfer` move to the thread without a copy and
   * cannot be used here afterwards.
   */
  ask(question: Question, options?: { signal?: AbortSignal; transfer?: TransferListItem[] }): Promise<Answer>;
  /** Releases the thread for other callers. Terminates it if it is busy. */
  end(): void;
}

/** Message from a thread, see `answerQuestions`. */
export type Sent<Answer> = { answer: Answer } | { failed: string };

/** Time for which an idle thread is kept, since starting one is slow. Then it ends and frees its memory. */
const IDLE_MS = 5_000;
/** Limit of V8's young generation in megabytes, all of which a busy thread uses. Node's default is 48 MB. */
const YOUNG_MB = 12;

/**
 * Returns a function that takes an idle thread of `module` (see `startThread`) or starts a new one. The thread belongs
 * to the caller until `end`, and then stays idle for a few seconds. `heap` is the limit of the old generation in
 * megabytes, or all resource limits.
 */
export function threadsOf<Question, Answer>(
  module: URL,
  heap: number | ResourceLimits,
): () => Thread<Question, Answer> {
  const idle = new Set<Worker>();
  const resourceLimits =
    typeof heap === "number" ? { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG_MB } : heap;

  function start(): Worker {
    const worker = startThread(module, { resourceLimits });
    worker.on("error", () => idle.delete(worker));
    return worker;
  }

  /** Keeps the thread for other work, without keeping the process alive. */
  function keepIdle(worker: Worker): void {
    worker.unref();
    idle.add(worker);
    setTimeout(() => {
      if (idle.delete(worker)) void worker.terminate();
    }, IDLE_MS).unref();
  }

  return () => {
    const [waiting] = idle;
    const worker = waiting ?? start();
    idle.delete(worker);
    worker.ref();
    let isBusy = false;
    return {
      async ask(question, { signal, transfer } = {}) {
        if (worker.threadId < 0) throw new Error("The thread has ended.");
        isBusy = true;
        worker.postMessage(question, transfer);
        // Rejects if the thread crashes during the wait.
        const [sent] = (await once(worker, "message", { signal })) as [Sent<Answer>];
        isBusy = false;
        if ("failed" in sent) throw new Error(sent.failed);
        return sent.answer;
      },
      end() {
        if (isBusy) void worker.terminate();
        else keepIdle(worker);
      },
    };
  };
}
