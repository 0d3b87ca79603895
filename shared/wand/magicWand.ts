import type { Rings } from "../entities/shape";
import { fairOutline } from "./fairOutline";
import { floodFill } from "./floodFill";
import { Mask } from "./mask";
import { maskOutline } from "./maskOutline";
import { boxAround, type PixelBox, type Pixels } from "./pixels";
import { smoothBorder } from "./smoothBorder";

export interface WandOptions {
  /** Largest difference of each channel from the start pixel's, 0 to 255. */
  threshold: number;
  /**
   * Radius for smoothing the border, in image pixels; at least 1, which means no smoothing. Reduced for small regions.
   */
  blur: number;
  /**
   * Largest distance of the outline from the middle of the border's steps, in image pixels. Pieces narrower than twice
   * this are dropped. If absent or 0, the outline runs exactly along the pixels.
   */
  simplify?: number;
}

/** Largest useful settings: the largest difference of a channel, and the wand's largest radius. */
const MAX_THRESHOLD = 255;
const MAX_BLUR = 1000;

/** Collects the regions of similar colour that one gesture of the magic wand selects in an image. */
export class MagicWand {
  /** All regions of the gesture, with smoothed borders. */
  private readonly selected: Mask;
  private selectedBox: PixelBox | null = null;
  private gesture = Number.NaN;
  /** The region of the last point, before smoothing. */
  private readonly region: Mask;
  private last: { color: number; settings: string; box: PixelBox } | null = null;

  constructor(private readonly pixels: Pixels) {
    this.selected = new Mask(pixels.width, pixels.height);
    this.region = new Mask(pixels.width, pixels.height);
  }

  /**
   * Adds the region around a point (image pixels) to those of the same gesture and returns the outline of all of them:
   * polygons with holes. Null if the point is outside the image. A new gesture starts without regions.
   */
  grow(gesture: number, x: number, y: number, { threshold, blur, simplify = 0 }: WandOptions): Rings | null {
    if (gesture !== this.gesture) this.forget();
    this.gesture = gesture;
    const { width, height } = this.pixels;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (!(column >= 0 && row >= 0 && column < width && row < height)) return null;
    this.add(column, row, whole(threshold, 0, MAX_THRESHOLD), whole(blur, 1, MAX_BLUR));
    const outline = maskOutline(this.selected, this.selectedBox!);
    return simplify > 0 ? fairOutline(outline, simplify) : outline;
  }

  private add(column: number, row: number, threshold: number, blur: number): void {
    const color = this.pixels.colors[row * this.pixels.width + column]! & 0xffffff;
    const settings = `${threshold} ${blur}`;
    const isSame = this.region.has(column, row) && this.last?.color === color && this.last.settings === settings;
    if (isSame && this.selectedBox) return;
    if (this.last) this.region.clear(this.last.box);
    const box = floodFill(this.pixels, column, row, threshold, this.region);
    this.last = { color, settings, box };
    // The radius is reduced for a region that is so small that smoothing would remove it completely.
    for (let radius = blur; !smoothBorder(this.region, box, radius, this.selected); ) radius = Math.ceil(radius / 2);
    this.selectedBox = boxAround(this.selectedBox, box);
  }

  private forget(): void {
    if (this.selectedBox) this.selected.clear(this.selectedBox);
    this.selectedBox = null;
  }
}

function whole(value: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(value) || 0, least), most);
}
