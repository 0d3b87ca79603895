import { answerQuestions } from "../answerQuestions";
import type { Answer, Question } from "./bodyQuestion";
import { readLargeBody } from "./readLargeBody";

/** What the thread of large bodies does. */
answerQuestions<Question, Answer>(readLargeBody);
