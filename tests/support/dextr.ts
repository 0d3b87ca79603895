import type { Box, ImageSource } from "../../model/dextr/base/imageSource";
import type { Point } from "../../model/dextr/base/request";
import type { DextrSession } from "../../model/dextr/base/session";

type Color = readonly [red: number, green: number, blue: number, alpha?: number];

/** An image painted by a function of the pixel. Only the requested box is painted, and is recorded in `boxes`. */
export function paintedImage(width: number, height: number, paint: (x: number, y: number) => Color) {
  const boxes: Box[] = [];
  const image: ImageSource = {
    width,
    height,
    async read(box) {
      boxes.push(box);
      const part = { left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top };
      const data = new Uint8ClampedArray(4 * part.width * part.height);
      for (let y = box.top, i = 0; y < box.bottom; y++)
        for (let x = box.left; x < box.right; x++, i += 4) {
          const [red, green, blue, alpha = 255] = paint(x, y);
          data.set([red, green, blue, alpha], i);
        }
      return { data, ...part };
    },
  };
  return { image, boxes };
}

/** White if the centre of the pixel is inside, otherwise black. */
export function silhouette(width: number, height: number, isInside: (x: number, y: number) => boolean) {
  return paintedImage(width, height, (x, y) => (isInside(x + 0.5, y + 0.5) ? [255, 255, 255] : [0, 0, 0]));
}

/** A network with a known output: the brighter a pixel, the more likely it belongs to the object. */
export const whiteIsObject: DextrSession = {
  run: async ({ data, height, width }) => Float32Array.from(data.subarray(0, height * width), (red) => (red + 1) / 2),
};

/** Extreme points of a shape, as pixels. */
export function extremesOf(width: number, height: number, isInside: (x: number, y: number) => boolean): Point[] {
  const all: Point[] = [];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (isInside(x + 0.5, y + 0.5)) all.push([x, y]);
  const by = (measure: (point: Point) => number) => all.reduce((best, p) => (measure(p) < measure(best) ? p : best));
  return [by(([, y]) => y), by(([x]) => -x), by(([, y]) => -y), by(([x]) => x)];
}
