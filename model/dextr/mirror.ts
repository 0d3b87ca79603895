/** Planes of rows of `size` numbers, written to `out` with left and right exchanged. */
export function mirrored(planes: Float32Array, size: number, out: Float32Array): void {
  for (let start = 0; start < planes.length; start += size)
    for (let x = 0; x < size; x++) out[start + x] = planes[start + size - 1 - x]!;
}

/** The mean of a plane and of what was found in the mirror: `answer` holds both, each size × size. */
export function meanOfMirrored(answer: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const area = size * size;
  const mean = new Float32Array(area);
  mirrored(answer.subarray(area, 2 * area), size, mean);
  for (let i = 0; i < area; i++) mean[i] = (mean[i]! + answer[i]!) / 2;
  return mean;
}
