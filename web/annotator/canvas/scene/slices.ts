import { type Brush, type Painted, paintShape } from "../shapes/paint";
import { costOf } from "../shapes/shapes";

/** Something to paint all of, in this order. */
export interface PaintJob {
  shapes: readonly Painted[];
  brush: Brush;
}

export interface Slicing {
  /** Vertices that are painted between two pauses. */
  slice: number;
  /** Lets others work; answers whether the job has become pointless. */
  pause: () => Promise<boolean>;
}

/** Paints all shapes of a job, a slice at a time. Returns true if it came to the end. */
export async function paintInSlices(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { shapes, brush }: PaintJob,
  { slice, pause }: Slicing,
): Promise<boolean> {
  context.lineJoin = "round";
  let painted = 0;
  for (const shape of shapes) {
    paintShape(context, shape, brush);
    painted += costOf(shape);
    if (painted < slice) continue;
    painted = 0;
    if (await pause()) return false;
  }
  return true;
}
