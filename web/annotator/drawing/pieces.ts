import { ERASER_MIN_AREA } from "../../../shared/constants";
import type { Rings } from "../../../shared/entities/shape";
import type { Compute } from "../../io/workers/workers";
import type { Piece } from "../canvas/hand/painting";
import type { Size } from "../canvas/view/view";

/**
 * Makes the function that unites a piece with a shape or takes it away, in the worker. What a brush paints outside the
 * image is cut away; crumbs that an eraser leaves are dropped.
 */
export function pieceMaker(
  compute: Pick<Compute, "unite" | "subtract" | "paint">,
  /** Largest distance of a stroke's outline from the true one, in image pixels. */
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
