import { type Thread, threadsOf } from "../../../threads/threads";
import type { CheckAnswer, CheckQuestion } from "./checkQuestion";

const HEAP_MB = 768;

const takeThread = threadsOf<CheckQuestion, CheckAnswer>(new URL("./checkWork", import.meta.url), HEAP_MB);

type CheckThread = Thread<CheckQuestion, CheckAnswer>;

/** Calls `work` with a thread, which answers one question at a time. */
export async function withCheckThread<T>(work: (thread: CheckThread) => Promise<T>): Promise<T> {
  const thread = takeThread();
  try {
    return await work(thread);
  } finally {
    thread.end();
  }
}
