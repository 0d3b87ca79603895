import { PLANES, type Tensor } from "../base/session";
import type { Planes } from "./tap";

/** Describes whole images by an inner layer of the network, without any click. */

/**
 * Returns the network's input for an image of side × side pixels (red, green, blue, row by row): v / 127.5 - 1, no
 * clicks.
 */
export function wholeImage(pixels: Uint8Array, side: number): Tensor {
  const area = side * side;
  if (pixels.length !== 3 * area) throw new Error(`Expected ${3 * area} numbers in place of ${pixels.length}.`);
  const data = new Float32Array(PLANES * area);
  for (let i = 0; i < area; i++) for (let c = 0; c < 3; c++) data[c * area + i] = pixels[3 * i + c]! / 127.5 - 1;
  return { data, height: side, width: side };
}

/**
 * Returns the embedding of an image: the mean of each channel of the layer (global average pooling; Lin et al. 2013).
 */
export function embeddingOf({ data, channels, height, width }: Planes): Float32Array<ArrayBuffer> {
  const area = height * width;
  return Float32Array.from({ length: channels }, (_, channel) => {
    let sum = 0;
    for (let i = channel * area; i < (channel + 1) * area; i++) sum += data[i]!;
    return sum / area;
  });
}
