import type { Box, ImageSource, Part } from "../../model/dextr/base/imageSource";

/** Largest number of pixels to read at a time, so that there are never three copies of a large part in memory. */
const STRIP_PIXELS = 4_000_000;

/** Width and height of the canvas are rounded up to multiples of this, so that it also fits a slightly larger part. */
const ROUND = 256;

/** A decoded image whose parts are read on demand: a copy of all pixels would take twice the memory. */
export class BitmapSource implements ImageSource {
  readonly width: number;
  readonly height: number;
  /** Canvas of the previous part, reused since the next part is often of the same object. */
  private canvas: OffscreenCanvas | undefined;

  constructor(private readonly bitmap: ImageBitmap) {
    this.width = bitmap.width;
    this.height = bitmap.height;
  }

  async read({ left, top, right, bottom }: Box): Promise<Part & { data: Uint8ClampedArray }> {
    const [width, height] = [right - left, bottom - top];
    const strip = Math.min(height, Math.max(1, Math.floor(STRIP_PIXELS / width)));
    const context = this.canvasOf(width, strip).getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("The image's pixels cannot be read.");
    const read = (y: number, rows: number) => {
      context.clearRect(0, 0, width, rows);
      context.drawImage(this.bitmap, left, top + y, width, rows, 0, 0, width, rows);
      return context.getImageData(0, 0, width, rows).data;
    };
    if (strip === height) return { data: read(0, height), left, top, width, height };
    const data = new Uint8ClampedArray(4 * width * height);
    for (let y = 0; y < height; y += strip) data.set(read(y, Math.min(strip, height - y)), 4 * width * y);
    return { data, left, top, width, height };
  }

  close(): void {
    this.bitmap.close();
    this.canvas = undefined;
  }

  private canvasOf(width: number, height: number): OffscreenCanvas {
    const { canvas } = this;
    if (canvas && canvas.width >= width && canvas.height >= height) return canvas;
    // Does not grow to fit the previous part too: a wide part and a tall part together would need too much memory.
    this.canvas = new OffscreenCanvas(rounded(width, this.width), rounded(height, this.height));
    return this.canvas;
  }
}

function rounded(side: number, most: number): number {
  return Math.min(Math.ceil(side / ROUND) * ROUND, most);
}
