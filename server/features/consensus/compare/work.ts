import type { ComparedImage } from "../../../../shared/agreement/compared";
import { compareImages } from "../../../../shared/agreement/figures";
import { groupObjects, overlapOfGroup } from "../../../../shared/agreement/groups";
import { meanOf, takeOne, unionOf } from "../../../../shared/agreement/mergeObject";
import { answerQuestions } from "../../../threads/answerQuestions";
import type { Answer, Grouped, Question, UnparsedAnnotation, UnparsedImage } from "./question";

/** Entry point of the thread that compares and merges what annotators have drawn. */
answerQuestions<Question, Answer>((question) => {
  if (question.what === "compare") return question.pairs.map(({ a, b }) => compareImages(parsed(a), parsed(b)));
  if (question.what === "group") return grouped(question.images.map(parsed));
  return question.objects.map(({ how, annotations }) => {
    const drawn = annotations.map(withShape);
    if (how === "one") return takeOne(drawn[0]!);
    return how === "union" ? unionOf(drawn) : meanOf(drawn, question.size);
  });
});

function grouped(images: readonly ComparedImage[]): Grouped {
  return {
    objects: groupObjects(images).map((group) => ({
      annotations: group.flatMap((at, image) => (at === null ? [] : { image, at })),
      overlap: overlapOfGroup(images, group),
    })),
    rings: images.map(({ annotations }) => annotations.map((annotation) => takeOne(annotation).rings)),
  };
}

const withShape = ({ shape, ...rest }: UnparsedAnnotation) => ({
  ...rest,
  shape: shape === null ? null : JSON.parse(shape),
});

const parsed = ({ annotations, ...size }: UnparsedImage): ComparedImage => ({
  ...size,
  annotations: annotations.map(withShape),
});
