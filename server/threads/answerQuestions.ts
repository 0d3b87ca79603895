import { parentPort, type TransferListItem } from "node:worker_threads";
import type { Sent } from "./threads";

/**
 * Runs in a thread started by `threadsOf`: sends the answer to each question, or the message of the error. `transferOf`
 * lists the objects to transfer.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer> | Answer,
  transferOf: (answer: Answer) => TransferListItem[] = () => [],
): void {
  if (!parentPort) throw new Error("This module must run in a worker thread");
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
