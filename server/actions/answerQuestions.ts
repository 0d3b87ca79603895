import { parentPort } from "node:worker_threads";
import type { Sent } from "./threads";

/** The thread's side of `threadsOf`: answers one question after another. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer> | Answer): void {
  if (!parentPort) throw new Error("This file runs as a thread only");
  const port = parentPort;
  const send = (sent: Sent<Answer>) => port.postMessage(sent);
  port.on("message", async (question: Question) => {
    try {
      send({ answer: await answer(question) });
    } catch (error) {
      send({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
}
