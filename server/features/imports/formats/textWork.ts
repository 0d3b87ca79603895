import { answerQuestions } from "../../../threads/answerQuestions";
import { type Kind, type Question, type Read, readers } from "./readText";

/** Entry point of the thread that reads long texts. */
answerQuestions<Question, Read<Kind>>(({ kind, text }) => readers[kind](text));
