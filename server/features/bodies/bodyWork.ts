import { MessageChannel, type TransferListItem } from "node:worker_threads";
import { shortenMove } from "../../../shared/edits/moves/moved";
import { answerQuestions } from "../../threads/answerQuestions";
import type { Answer, Question, SentAnswer } from "./bodyQuestion";
import { readLargeBody } from "./readLargeBody";
import type { SavedState } from "./savedState";

/** Entry point of the thread that reads large bodies. */
answerQuestions<Question, SentAnswer>((question) => toSend(readLargeBody(question)), transferOf);

function transferOf(answer: SentAnswer): TransferListItem[] {
  if ("state" in answer) return buffersOf(answer.state);
  return "parsed" in answer ? [answer.parsed] : [];
}

function buffersOf({ categories }: SavedState): TransferListItem[] {
  const annotations = (categories ?? []).flatMap((category) => category.annotations ?? []);
  return annotations.flatMap(({ path }) =>
    path && "coordinates" in path ? [path.coordinates.buffer, path.lengths.buffer] : [],
  );
}

function toSend(answer: Answer): SentAnswer {
  if (!("parsed" in answer)) return answer;
  const { port1, port2 } = new MessageChannel();
  for (const each of answer.parsed) port1.postMessage("edit" in each ? { edit: shortenMove(each.edit) } : each);
  return { batch: answer.batch, parsed: port2 };
}
