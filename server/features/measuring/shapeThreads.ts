import { availableParallelism } from "node:os";
import { threadsOf } from "../../threads/threads";
import type { Answer, Question } from "./question";
import { makeShares } from "./shares";

const HEAP_MB = 768;
/** Its memory is free again soon after. */
const IDLE_MS = 5_000;
/** Longer than the worst shape takes. */
const LIMIT_MS = 60_000;
/** Works of one user that may wait. */
const PATIENCE = 8;

/** The server's own thread keeps a core; two, so that one user never holds all. */
const shares = makeShares(Math.max(2, Math.min(4, availableParallelism() - 1)), PATIENCE);
const takeThread = threadsOf<Question, Answer>(new URL("./shapeWork", import.meta.url), HEAP_MB, IDLE_MS);

/**
 * Has the questions answered in a thread, one after another. `taker` names who asks: each has one thread at a time, and
 * others' questions do not wait behind. Throws 429 where a taker's questions pile up, a TimeoutError where the answer to
 * one takes too long.
 */
export function askShapeThread(taker: string, questions: readonly Question[], signal?: AbortSignal): Promise<Answer[]> {
  return shares.take(
    taker,
    async () => {
      const thread = takeThread();
      try {
        const answers: Answer[] = [];
        for (const question of questions) {
          const limit = AbortSignal.timeout(LIMIT_MS);
          const asked = thread.ask(question, signal ? AbortSignal.any([signal, limit]) : limit);
          answers.push(await asked.catch((error: unknown) => Promise.reject(limit.aborted ? limit.reason : error)));
        }
        return answers;
      } finally {
        thread.end();
      }
    },
    signal,
  );
}
