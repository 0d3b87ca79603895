import { ERASER_MIN_AREA } from "../../../shared/constants";
import type { Rings } from "../../../shared/entities/shape";
import type { Compute } from "../../io/workers/workers";
import type { Piece } from "../canvas/active/paintingLayer";
import type { Size } from "../canvas/view/view";

/**
 * Returns the function that unites a piece with a shape or subtracts it, in the worker. Clips brush strokes to the
 * image and drops the tiny fragments that an eraser leaves.
 */
export function pieceMaker(
  compute: Pick<Compute, "unite" | "subtract" | "paint">,
  /** Maximum deviation of a stroke's outline from the exact one, in image pixels. */
  tolerance: () => number,
  image: Size,
): (shape: Rings, piece: Piece) => Promise<Rings> {
  return (shape, piece) => {
    const { operation } = piece;
    if ("rings" in piece) return compute[operation](shape, piece.rings);
    const options = { operation, simplify: tolerance() };
    return operation === "unite"
      ? compute.paint(shape, piece.stroke, { ...options, minArea: 0, within: image })
      : compute.paint(shape, piece.stroke, { ...options, minArea: ERASER_MIN_AREA });
  };
}
