import { answerQuestions } from "../answerQuestions";
import { measureShape } from "./measureShape";
import type { Answer, Question } from "./question";
import { saySegmentation } from "./saySegmentation";

/** The thread that measures shapes. */
answerQuestions<Question, Answer>((question) =>
  "measure" in question ? measureShape(question.measure) : { segmentation: saySegmentation(question.say) },
);
