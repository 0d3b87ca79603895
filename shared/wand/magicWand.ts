import { traceRuns } from "../coco/trace";
import type { Rings } from "../entities/shape";
import { simplifyRings } from "../geometry/simplify";
import { floodFill } from "./floodFill";
import { boxAround, type PixelBox, type Pixels } from "./pixels";

export interface WandOptions {
  /** How far each channel may be from the start pixel's, 0 to 255. */
  threshold: number;
  /** Radius of the smoothing of the border, in image pixels; at least 1. */
  blur: number;
  /** How far the outline may be from the region's border, in image pixels; without it or at 0 it runs along the pixels. */
  simplify?: number;
}

/** The regions of like colour that one gesture of the magic wand gathers in a picture. */
export class MagicWand {
  private readonly mask: Uint8Array;
  private box: PixelBox | null = null;

  constructor(private readonly pixels: Pixels) {
    this.mask = new Uint8Array(pixels.width * pixels.height);
  }

  /** Forgets what was gathered. */
  clear(): void {
    if (this.box) this.mask.fill(0);
    this.box = null;
  }

  /**
   * Adds the region around a point (image pixels) and answers the outline of all regions: polygons with holes. Null
   * where the point is outside the picture.
   */
  grow(x: number, y: number, { threshold, simplify = 0 }: WandOptions): Rings | null {
    const { width, height } = this.pixels;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (!(column >= 0 && row >= 0 && column < width && row < height)) return null;
    const added = new Uint8Array(width * height);
    this.box = boxAround(this.box, floodFill(this.pixels, column, row, Math.floor(threshold), added));
    for (let i = 0; i < added.length; i++) this.mask[i]! |= added[i]!;
    const outline = this.outline();
    return simplify > 0 ? simplifyRings(outline, simplify) : outline;
  }

  private outline(): Rings {
    const { width, height } = this.pixels;
    const runs: number[] = [];
    let length = 0;
    let inside = 0;
    for (let x = 0; x < width; x++)
      for (let y = 0; y < height; y++) {
        const value = this.mask[y * width + x]!;
        if (value !== inside) {
          runs.push(length);
          length = 0;
          inside = value;
        }
        length++;
      }
    runs.push(length);
    return traceRuns(runs, width, height);
  }
}
