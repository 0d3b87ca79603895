import { findInImage } from "../../../../shared/quality/findInImage";
import type { Finding } from "../../../../shared/quality/finding";
import { answerQuestions } from "../../../threads/answerQuestions";
import type { CheckAnswer, CheckQuestion, UnparsedImage } from "./checkQuestion";
import { AnnotationComparison } from "./compare/compareAnnotations";
import { FileComparison } from "./compare/compareFiles";
import { LookComparison } from "./compare/compareLooks";
import type { Comparison } from "./compare/comparison";
import type { CategoryLine, RowsCompared } from "./compare/rowsCompared";

const COMPARISONS: { [kind in keyof RowsCompared]: (categories: CategoryLine[]) => Comparison<RowsCompared[kind]> } = {
  annotations: (categories) => new AnnotationComparison(categories),
  files: () => new FileComparison(),
  looks: () => new LookComparison(),
};

/** Number of findings in one answer, so that reading them hardly delays the server's other work. */
const AT_ONCE = 2_000;

let comparison: Comparison<never> | undefined;
/** Findings that have not been sent yet. */
let found: Finding[] = [];

/** Entry point of the thread that checks images and annotations. */
answerQuestions<CheckQuestion, CheckAnswer>((question) => {
  if ("images" in question) return question.images.flatMap((image) => findInImage(parsed(image)));
  if ("begin" in question) {
    comparison = COMPARISONS[question.begin](question.categories);
    found = [];
    return [];
  }
  if ("add" in question) {
    comparison?.add(question.add as never[]);
    return [];
  }
  if ("compare" in question) {
    found = comparison?.find() ?? [];
    comparison = undefined;
  }
  return found.splice(0, AT_ONCE);
});

const parsed = ({ annotations, ...image }: UnparsedImage) => ({
  ...image,
  annotations: annotations.map(({ shape, ...rest }) => ({ ...rest, shape: shape === null ? null : JSON.parse(shape) })),
});
