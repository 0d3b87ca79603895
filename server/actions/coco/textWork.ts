import { answerQuestions } from "../answerQuestions";
import { type Kind, type Question, type Read, readers } from "./readText";

/** What the thread of long texts does. */
answerQuestions<Question, Read<Kind>>(({ kind, text }) => readers[kind](text));
