/** Samples that the filter takes on each side of its middle, at least, where it leaves pixels out. */
const TAPS = 2;
/** A sample is the mean of so many neighbours where pixels are left out: a pattern as fine as pixels does not show. */
const BIN = 2;

/**
 * Resampling of one axis of an image to `size` target pixels. Source pixels are taken in samples: where many of them
 * make up one target pixel, only `bin` of every `step` are looked at, as a few dozen tell its colour as well as
 * hundreds.
 */
export interface Axis {
  /** The first sample's first pixel, counted from the part's; how many samples there are, and how far from one another. */
  start: number;
  count: number;
  step: number;
  bin: 1 | 2;
  /** For each target pixel: its samples, `first` to before `end`, and where the weights of their pixels begin. */
  first: Int32Array;
  end: Int32Array;
  at: Int32Array;
  weights: Float32Array;
}

/** Half width of the triangle filter, in source pixels: one source pixel, or one target pixel where that is wider. */
export function halfWidth(from: number, to: number, size: number): number {
  return Math.max(1, (to - from) / size);
}

/**
 * The axis from `from` to `to` (image pixels, the middle of pixel k at k + 0.5) as `size` target pixels, out of a part of
 * `width` pixels that begins at `left`. Weights of a target pixel's pixels sum to one together with those of pixels
 * that the part has not, which are left out.
 */
export function axisOf(from: number, to: number, size: number, left: number, width: number): Axis {
  const half = halfWidth(from, to, size);
  const step = Math.max(1, Math.floor(half / TAPS));
  const bin = step >= BIN ? BIN : 1;
  const lowest = Math.ceil(left / step);
  const highest = Math.floor((left + width - bin) / step);
  const axis: Axis = {
    start: lowest * step - left,
    count: Math.max(0, highest - lowest + 1),
    step,
    bin,
    first: new Int32Array(size),
    end: new Int32Array(size),
    at: new Int32Array(size),
    weights: new Float32Array(size * (Math.ceil((2 * half) / step) + 1)),
  };
  for (let i = 0, at = 0; i < size; i++) {
    const middle = from + ((i + 0.5) * (to - from)) / size - bin / 2;
    const weightOf = (k: number) => 1 - Math.abs(k * step - middle) / half;
    const first = Math.ceil((middle - half) / step);
    const last = Math.floor((middle + half) / step);
    let sum = 0;
    for (let k = first; k <= last; k++) sum += weightOf(k);
    axis.at[i] = at;
    axis.first[i] = Math.max(first, lowest) - lowest;
    axis.end[i] = Math.min(last, highest) + 1 - lowest;
    for (let k = Math.max(first, lowest); k <= Math.min(last, highest); k++)
      axis.weights[at++] = weightOf(k) / sum / bin;
  }
  return axis;
}
