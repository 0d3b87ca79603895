const FAR = 1e20;

/**
 * Returns the signed distance of each pixel of a bitmap to the border of its mask, in pixels: negative inside. The
 * border runs half a pixel from the centres of the pixels beside it. Everything outside of the bitmap is outside of the
 * mask if the bitmap has an empty margin. Source of the exact transform in linear time: Felzenszwalb and Huttenlocher,
 * "Distance transforms of sampled functions" (2012).
 */
export function signedDistances(bitmap: Uint8Array, width: number, height: number): Float64Array {
  const toInside = squaredDistances(bitmap, 1, width, height);
  const toOutside = squaredDistances(bitmap, 0, width, height);
  return toInside.map((squared, i) => (bitmap[i] ? 0.5 - Math.sqrt(toOutside[i]!) : Math.sqrt(squared) - 0.5));
}

/** Returns the squared distance of each pixel to the nearest pixel with this value. */
function squaredDistances(bitmap: Uint8Array, value: number, width: number, height: number): Float64Array {
  const out = Float64Array.from(bitmap, (each) => (each === value ? 0 : FAR));
  const line = new Line(Math.max(width, height));
  for (let x = 0; x < width; x++) line.transform(out, x, width, height);
  for (let y = 0; y < height; y++) line.transform(out, y * width, 1, width);
  return out;
}

/** Transforms one row or column: the lower envelope of a parabola above each pixel. */
class Line {
  private readonly values: Float64Array;
  private readonly feet: Int32Array;
  private readonly from: Float64Array;

  constructor(length: number) {
    this.values = new Float64Array(length);
    this.feet = new Int32Array(length);
    this.from = new Float64Array(length + 1);
  }

  transform(data: Float64Array, start: number, step: number, length: number): void {
    const { values, feet, from } = this;
    for (let i = 0; i < length; i++) values[i] = data[start + i * step]!;
    let last = 0;
    feet[0] = 0;
    from[0] = Number.NEGATIVE_INFINITY;
    for (let i = 1; i < length; i++) {
      let meets = this.meeting(feet[last]!, i);
      while (meets <= from[last]!) meets = this.meeting(feet[--last]!, i);
      feet[++last] = i;
      from[last] = meets;
    }
    from[last + 1] = Number.POSITIVE_INFINITY;
    for (let i = 0, k = 0; i < length; i++) {
      while (from[k + 1]! < i) k++;
      data[start + i * step] = (i - feet[k]!) ** 2 + values[feet[k]!]!;
    }
  }

  /** Returns where the parabolas above two pixels meet. */
  private meeting(a: number, b: number): number {
    return (this.values[b]! + b * b - (this.values[a]! + a * a)) / (2 * (b - a));
  }
}
