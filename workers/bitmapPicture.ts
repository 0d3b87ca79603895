import type { Box, Part, Picture } from "../model/dextr/picture";

/** Rows that are read at a time, so that the part never lies in memory three times. */
const STRIP_ROWS = 512;

/** A decoded picture of which parts are read when they are needed: a copy of all its pixels would take as much again. */
export class BitmapPicture implements Picture {
  readonly width: number;
  readonly height: number;

  constructor(private readonly bitmap: ImageBitmap) {
    this.width = bitmap.width;
    this.height = bitmap.height;
  }

  async read({ left, top, right, bottom }: Box): Promise<Part & { data: Uint8ClampedArray }> {
    const [width, height] = [right - left, bottom - top];
    const canvas = new OffscreenCanvas(width, Math.min(height, STRIP_ROWS));
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("The picture's pixels cannot be read.");
    context.globalCompositeOperation = "copy";
    const data = new Uint8ClampedArray(4 * width * height);
    for (let y = 0; y < height; y += canvas.height) {
      const rows = Math.min(canvas.height, height - y);
      context.drawImage(this.bitmap, left, top + y, width, rows, 0, 0, width, rows);
      data.set(context.getImageData(0, 0, width, rows).data, 4 * width * y);
    }
    return { data, left, top, width, height };
  }

  close(): void {
    this.bitmap.close();
  }
}
