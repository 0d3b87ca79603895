import { parentPort, type TransferListItem } from "node:worker_threads";
import type { Sent } from "./threads";

/** The thread's side of `threadsOf`: answers one question after another. `transferOf` lists the objects to transfer. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer> | Answer,
  transferOf: (answer: Answer) => TransferListItem[] = () => [],
): void {
  if (!parentPort) throw new Error("This file runs as a thread only");
  const port = parentPort;
  const send = (sent: Sent<Answer>, transfer: TransferListItem[] = []) => port.postMessage(sent, transfer);
  port.on("message", async (question: Question) => {
    try {
      const answered = await answer(question);
      send({ answer: answered }, transferOf(answered));
    } catch (error) {
      send({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
}
