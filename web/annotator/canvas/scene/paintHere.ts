import type { Shapes } from "../shapes/shapes";
import type { PaintRequest, ScenePainter } from "./painter";
import { paintInSlices } from "./slices";

/** Number of vertices painted in one frame. */
const SLICE = 4000;

/** Paints on the main thread, one slice per frame, for browsers without a canvas in workers. */
export class PaintHere implements ScenePainter {
  readonly isBroken = false;
  private newest = 0;

  constructor(private readonly shapes: Shapes) {}

  async paint({ width, height, box, brush }: PaintRequest): Promise<CanvasImageSource | null> {
    this.newest++;
    const number = this.newest;
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) return null;
    const pause = () => new Promise<boolean>((resolve) => requestAnimationFrame(() => resolve(number !== this.newest)));
    const shapes = this.shapes.within(box);
    return (await paintInSlices(context, { shapes, brush }, { slice: SLICE, pause })) ? canvas : null;
  }

  remove(): void {
    this.newest++;
  }
}
