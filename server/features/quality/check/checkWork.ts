import { findInImage } from "../../../../shared/quality/findInImage";
import { findSimilar } from "../../../../shared/quality/images/similarFindings";
import type { LookedAt } from "../../../../shared/quality/labels/lookedAt";
import { findUnlikelyCategories } from "../../../../shared/quality/labels/unlikelyCategories";
import { findUnlikelyOutlines } from "../../../../shared/quality/labels/unlikelyOutlines";
import { answerQuestions } from "../../../threads/answerQuestions";
import type { StoredLook } from "../look/lookRows";
import type { CheckAnswer, CheckQuestion, UnparsedImage } from "./checkQuestion";

/** Entry point of the thread that checks images and annotations. */
answerQuestions<CheckQuestion, CheckAnswer>((question) => {
  if ("images" in question) return question.images.flatMap((image) => findInImage(parsed(image)));
  if ("compared" in question) return findSimilar(question.compared);
  const looks = question.looks.map(lookOf);
  return [...findUnlikelyCategories(looks), ...findUnlikelyOutlines(looks)];
});

function lookOf({ features, width, height, ...look }: StoredLook): LookedAt {
  const bytes = features === null ? undefined : Buffer.from(features, "base64");
  const frame = { width, height };
  return { ...look, frame, features: bytes && new Float32Array(Uint8Array.from(bytes).buffer) };
}

const parsed = ({ annotations, ...image }: UnparsedImage) => ({
  ...image,
  annotations: annotations.map(({ shape, ...rest }) => ({ ...rest, shape: shape === null ? null : JSON.parse(shape) })),
});
