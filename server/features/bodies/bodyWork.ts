import { MessageChannel } from "node:worker_threads";
import { answerQuestions } from "../../threads/answerQuestions";
import type { Answer, Question, SentAnswer } from "./bodyQuestion";
import { readLargeBody } from "./readLargeBody";

/** Entry point of the thread that reads large bodies. */
answerQuestions<Question, SentAnswer>(
  (question) => toSend(readLargeBody(question)),
  (answer) => ("parsed" in answer ? [answer.parsed] : []),
);

function toSend(answer: Answer): SentAnswer {
  if (!("parsed" in answer)) return answer;
  const { port1, port2 } = new MessageChannel();
  for (const edit of answer.parsed) port1.postMessage(edit);
  return { batch: answer.batch, parsed: port2 };
}
