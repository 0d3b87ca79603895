import { availableParallelism } from "node:os";
import { threadsOf } from "../../threads/threads";
import { makeFairQueue } from "./fairQueue";
import type { Answer, Question } from "./question";

const HEAP_MB = 768;
/** Time limit for one question, longer than the worst shape takes. */
const LIMIT_MS = 60_000;
/** Number of calls of one requester that may wait. */
const MAX_WAITING = 8;

/**
 * Runs one thread fewer than there are cores, up to four, which leaves a core to the server's main thread. Runs at
 * least two, so that one user never occupies all threads.
 */
const queue = makeFairQueue(Math.max(2, Math.min(4, availableParallelism() - 1)), MAX_WAITING);
const takeThread = threadsOf<Question, Answer>(new URL("./shapeWork", import.meta.url), HEAP_MB);

/**
 * Sends questions to a thread, one after another, and returns the answers. Each requester has one thread at a time, so
 * that its questions do not delay those of others. Throws 429 if too many calls of the requester are waiting, and a
 * TimeoutError if an answer takes too long.
 */
export function askShapeThread(
  requester: string,
  questions: readonly Question[],
  signal?: AbortSignal,
): Promise<Answer[]> {
  return queue.run(
    requester,
    async () => {
      const thread = takeThread();
      try {
        const answers: Answer[] = [];
        for (const question of questions) {
          const limit = AbortSignal.timeout(LIMIT_MS);
          const answer = thread.ask(question, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
          answers.push(await answer.catch((error: unknown) => Promise.reject(limit.aborted ? limit.reason : error)));
        }
        return answers;
      } finally {
        thread.end();
      }
    },
    signal,
  );
}
