import { ringsToRle } from "../../shared/coco/mask";
import type { Rings } from "../../shared/entities/shape";

/** Returns the intersection over union of two shapes on an image of this size, pixel by pixel; 1 if both are empty. */
export function overlap(a: Rings, b: Rings, width: number, height: number): number {
  const [first, second] = [a, b].map((rings) => maskOf(rings, width, height));
  let both = 0;
  let either = 0;
  first!.forEach((value, i) => {
    both += value & second![i]!;
    either += value | second![i]!;
  });
  return either === 0 ? 1 : both / either;
}

function maskOf(rings: Rings, width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  let at = 0;
  ringsToRle(rings, width, height).forEach((length, i) => {
    if (i % 2 === 1) mask.fill(1, at, at + length);
    at += length;
  });
  return mask;
}
