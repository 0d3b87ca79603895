import { findInImage } from "../../../../shared/quality/findInImage";
import { findSimilar } from "../../../../shared/quality/images/similarFindings";
import { answerQuestions } from "../../../threads/answerQuestions";
import type { CheckAnswer, CheckQuestion, UnparsedImage } from "./checkQuestion";

/** Entry point of the thread that checks images and annotations. */
answerQuestions<CheckQuestion, CheckAnswer>((question) =>
  "images" in question
    ? question.images.flatMap((image) => findInImage(parsed(image)))
    : findSimilar(question.compared),
);

const parsed = ({ annotations, ...image }: UnparsedImage) => ({
  ...image,
  annotations: annotations.map(({ shape, ...rest }) => ({ ...rest, shape: shape === null ? null : JSON.parse(shape) })),
});
