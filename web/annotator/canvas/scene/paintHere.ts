import type { Shape, Shapes } from "../shapes/shapes";
import { type Bitmaps, dividedShapes, type PaintRequest, type ScenePainter } from "./painter";
import { paintInSlices } from "./slices";

/** Number of vertices painted in one frame. */
const SLICE = 4000;

/** Paints on the main thread, one slice per frame, for browsers without a canvas in workers. */
export class PaintHere implements ScenePainter {
  readonly isBroken = false;
  private newest = 0;

  constructor(private readonly shapes: Shapes) {}

  async paint(request: PaintRequest): Promise<Bitmaps | null> {
    this.newest++;
    const number = this.newest;
    const divided = dividedShapes(this.shapes.within(request.box), request.isLifted);
    const scene = await this.canvasOf(divided.scene, request, number);
    const lifted = scene && divided.lifted && (await this.canvasOf(divided.lifted, request, number));
    return scene && (lifted || !request.isLifted) ? { scene, lifted } : null;
  }

  remove(): void {
    this.newest++;
  }

  private async canvasOf(
    shapes: readonly Shape[],
    { width, height, brush }: PaintRequest,
    number: number,
  ): Promise<HTMLCanvasElement | null> {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) return null;
    const pause = () => new Promise<boolean>((resolve) => requestAnimationFrame(() => resolve(number !== this.newest)));
    return (await paintInSlices(context, { shapes, brush }, { slice: SLICE, pause })) ? canvas : null;
  }
}
