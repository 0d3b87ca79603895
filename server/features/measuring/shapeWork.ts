import { toCocoSegmentation } from "../../../shared/coco/items/toCocoSegmentation";
import { turnRle } from "../../../shared/coco/turn";
import { packRings, unpackRings } from "../../../shared/geometry/packed";
import { nest } from "../../../shared/geometry/polygons";
import { answerQuestions } from "../../threads/answerQuestions";
import { measureShape } from "./measureShape";
import { outlineOf } from "./outlineOf";
import { placesOf } from "./placesOf";
import type { Answer, Question } from "./question";
import { isReturnedShape } from "./returned";

/** Entry point of the thread that processes shapes. */
answerQuestions<Question, Answer>((question) => {
  if ("measure" in question) return measureShape(question.measure);
  if ("convert" in question) return { segmentation: toCocoSegmentation(question.convert) };
  if ("turn" in question) {
    const { turn, rle, size } = question.turn;
    return { turned: turnRle(turn, rle, size) };
  }
  if ("trace" in question) {
    const outline = outlineOf(question.trace);
    return { outline: outline && packRings(outline) };
  }
  if ("compare" in question) {
    const { paths, sent, ...size } = question.compare;
    return { isReturned: isReturnedShape(unpackRings(paths).flat(), unpackRings(sent), size) };
  }
  const rings = unpackRings(question.nest).flat();
  return { polygons: placesOf(rings, nest(rings)) };
});
