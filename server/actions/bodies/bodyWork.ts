import { answerQuestions } from "../answerQuestions";
import type { Answer, Question } from "./bodyQuestion";
import { readLargeBody } from "./readLargeBody";

/** The thread that reads large bodies. */
answerQuestions<Question, Answer>(readLargeBody);
