import { type Brush, type Painted, paintShape } from "../shapes/paint";
import { costOf } from "../shapes/shapes";

/** Shapes to paint, in this order. */
export interface PaintJob {
  shapes: readonly Painted[];
  brush: Brush;
}

export interface Slicing {
  /** Number of vertices painted between two pauses. */
  slice: number;
  /** Lets other work run. Resolves with true if the job is no longer needed. */
  pause: () => Promise<boolean>;
}

/** Paints all shapes of a job, one slice at a time. Returns false if it was cut short by `pause`. */
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
