import { answerQuestions } from "../../../threads/answerQuestions";
import { Collection } from "./collection";
import type { OrderAnswer, OrderQuestion } from "./orderQuestion";

let collection = new Collection();

/** Entry point of the thread that orders images by their embeddings. */
answerQuestions<OrderQuestion, OrderAnswer>((question) => {
  if ("add" in question) {
    collection.add(question.add);
    return [];
  }
  const ordered = "order" in question ? collection.order(question.order) : [];
  // Frees the memory, and begins anew.
  collection = new Collection();
  return ordered;
});
