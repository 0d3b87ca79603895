/** Smallest number of samples on each side of the filter's middle if it skips pixels. */
const TAPS = 2;
/** Number of neighbouring pixels averaged in a sample if pixels are skipped, so that single-pixel patterns vanish. */
const BIN = 2;

/**
 * Resampling of one axis of an image to `size` target pixels. Source pixels are read as samples: if many of them make
 * up one target pixel, only `bin` of every `step` are used, since a few dozen give its colour as well as hundreds.
 */
export interface Axis {
  /** First pixel of the first sample, relative to the part; number of samples, and their distance in pixels. */
  start: number;
  count: number;
  step: number;
  bin: 1 | 2;
  /** For each target pixel: its samples [first, end), and the index of their first weight. */
  first: Int32Array;
  end: Int32Array;
  at: Int32Array;
  weights: Float32Array;
}

/** Returns half the width of the triangle filter, in source pixels: one source pixel, or one target pixel if wider. */
export function halfWidth(from: number, to: number, size: number): number {
  return Math.max(1, (to - from) / size);
}

/**
 * Returns the axis from `from` to `to` (image pixels; the centre of pixel k is at k + 0.5) with `size` target pixels,
 * read from a part of `width` pixels that begins at `left`. The weights of a target pixel sum to one, including those
 * of pixels outside the part, which are left out.
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
