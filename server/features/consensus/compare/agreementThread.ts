import { type Thread, threadsOf } from "../../../threads/threads";
import type { Answer, Question } from "./question";

const HEAP_MB = 768;

const takeThread = threadsOf<Question, Answer>(new URL("./work", import.meta.url), HEAP_MB);

/** Calls `work` with a thread, which answers one question at a time. */
export async function withAgreementThread<T>(work: (thread: Thread<Question, Answer>) => Promise<T>): Promise<T> {
  const thread = takeThread();
  try {
    return await work(thread);
  } finally {
    thread.end();
  }
}
