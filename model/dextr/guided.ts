import { GUIDE_RADIUS, GUIDE_SOFTNESS } from "./recipe";

/** The coefficients are found at this share of the resolution: as good, and four times as fast. */
const STEP = 2;

/**
 * A probability whose borders lie where colours change, size × size in 0..1: the network sees roughly where an object
 * ends, the pixels show exactly where. `colours` holds three planes of the same crop in -1..1; `size` is even.
 *
 * Method: the guided filter with a colour guide (He, Sun and Tang 2010, "Guided Image Filtering"), whose coefficients come
 * from fewer pixels (He and Sun 2015, "Fast Guided Filter"). Around each pixel the probability is explained as a linear
 * function of the colour, as far as it can be.
 */
export function guided(probability: Float32Array, colours: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const area = size * size;
  const side = size / STEP;
  const guide = [0, 1, 2].map((c) => halved(colours.subarray(c * area, (c + 1) * area), size));
  const coefficients = explained(halved(probability, size), guide, side).map((plane) => smoothed(plane, side));
  const out = new Float32Array(area);
  const line = new Float32Array(side);
  coefficients.forEach((plane, n) => {
    const factor = n < guide.length ? colours.subarray(n * area, (n + 1) * area) : null;
    for (let y = 0; y < size; y++) {
      blendRows(plane, side, y, line);
      const start = y * size;
      for (let x = 0; x < size; x++) {
        const before = beforeOf(x, side);
        const after = Math.min(before + 1, side - 1);
        const value = line[before]! + (line[after]! - line[before]!) * shareOf(x, before);
        out[start + x]! += factor ? value * factor[start + x]! : value;
      }
    }
  });
  for (let i = 0; i < area; i++) out[i] = Math.min(Math.max(out[i]!, 0), 1);
  return out;
}

/** For each pixel the plane of best fit from colours to the probability around it: three slopes, and what is left. */
function explained(probability: Float32Array, guide: Float32Array[], side: number): Float32Array[] {
  const [red, green, blue] = guide as [Float32Array, Float32Array, Float32Array];
  const mean = (plane: Float32Array) => smoothed(plane, side);
  const product = (a: Float32Array, b: Float32Array) => {
    const out = new Float32Array(a.length);
    for (let i = 0; i < out.length; i++) out[i] = a[i]! * b[i]!;
    return mean(out);
  };
  const [r, g, b, p] = [mean(red), mean(green), mean(blue), mean(probability)];
  const [rr, rg, rb] = [product(red, red), product(red, green), product(red, blue)];
  const [gg, gb, bb] = [product(green, green), product(green, blue), product(blue, blue)];
  const [rp, gp, bp] = [product(red, probability), product(green, probability), product(blue, probability)];
  const slopes = [0, 1, 2].map(() => new Float32Array(side * side));
  const rest = new Float32Array(side * side);
  for (let i = 0; i < rest.length; i++) {
    const [mr, mg, mb, mp] = [r[i]!, g[i]!, b[i]!, p[i]!];
    // Covariances of the colours, a symmetric matrix, and theirs with the probability.
    const xx = rr[i]! - mr * mr + GUIDE_SOFTNESS;
    const xy = rg[i]! - mr * mg;
    const xz = rb[i]! - mr * mb;
    const yy = gg[i]! - mg * mg + GUIDE_SOFTNESS;
    const yz = gb[i]! - mg * mb;
    const zz = bb[i]! - mb * mb + GUIDE_SOFTNESS;
    const [x, y, z] = [rp[i]! - mr * mp, gp[i]! - mg * mp, bp[i]! - mb * mp];
    // Its inverse by cofactors.
    const [c00, c01, c02] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    const [c11, c12, c22] = [xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy];
    const determinant = xx * c00 + xy * c01 + xz * c02;
    const [sr, sg, sb] = [
      (c00 * x + c01 * y + c02 * z) / determinant,
      (c01 * x + c11 * y + c12 * z) / determinant,
      (c02 * x + c12 * y + c22 * z) / determinant,
    ];
    slopes[0]![i] = sr;
    slopes[1]![i] = sg;
    slopes[2]![i] = sb;
    rest[i] = mp - sr * mr - sg * mg - sb * mb;
  }
  return [...slopes, rest];
}

/** The mean of each two by two pixels. */
function halved(plane: Float32Array, size: number): Float32Array {
  const side = size / STEP;
  const out = new Float32Array(side * side);
  for (let y = 0, i = 0; y < side; y++)
    for (let x = 0, at = STEP * y * size; x < side; x++, i++, at += STEP)
      out[i] = (plane[at]! + plane[at + 1]! + plane[at + size]! + plane[at + size + 1]!) / 4;
  return out;
}

/** The mean of the square around each pixel, as far as it lies inside. */
function smoothed(plane: Float32Array, side: number): Float32Array {
  const across = new Float32Array(plane.length);
  for (let start = 0; start < plane.length; start += side) {
    let sum = 0;
    for (let x = 0; x < GUIDE_RADIUS; x++) sum += plane[start + x]!;
    for (let x = 0; x < side; x++) {
      if (x + GUIDE_RADIUS < side) sum += plane[start + x + GUIDE_RADIUS]!;
      if (x > GUIDE_RADIUS) sum -= plane[start + x - GUIDE_RADIUS - 1]!;
      across[start + x] = sum / countAround(x, side);
    }
  }
  const out = new Float32Array(plane.length);
  const sums = new Float64Array(side);
  const add = (row: number, sign: number) => {
    for (let x = 0, i = row * side; x < side; x++, i++) sums[x]! += sign * across[i]!;
  };
  for (let y = 0; y < GUIDE_RADIUS; y++) add(y, 1);
  for (let y = 0; y < side; y++) {
    if (y + GUIDE_RADIUS < side) add(y + GUIDE_RADIUS, 1);
    if (y > GUIDE_RADIUS) add(y - GUIDE_RADIUS - 1, -1);
    const count = countAround(y, side);
    for (let x = 0; x < side; x++) out[y * side + x] = sums[x]! / count;
  }
  return out;
}

/** How many places lie within the radius of one, of `side` places. */
function countAround(place: number, side: number): number {
  return Math.min(place + GUIDE_RADIUS, side - 1) - Math.max(place - GUIDE_RADIUS, 0) + 1;
}

/** Row `y` of a plane brought to twice its height, linearly between the middles of its pixels. */
function blendRows(plane: Float32Array, side: number, y: number, line: Float32Array): void {
  const before = beforeOf(y, side);
  const upper = before * side;
  const lower = Math.min(before + 1, side - 1) * side;
  const share = shareOf(y, before);
  for (let x = 0; x < side; x++) line[x] = plane[upper + x]! + (plane[lower + x]! - plane[upper + x]!) * share;
}

/** The last of the small plane's pixels whose middle does not lie behind that of the large one's pixel. */
function beforeOf(place: number, side: number): number {
  return Math.min(Math.max(Math.floor((place + 0.5) / STEP - 0.5), 0), side - 1);
}

/** How far the pixel lies on the way from that one to the next, 0 to 1. */
function shareOf(place: number, before: number): number {
  return Math.max(0, (place + 0.5) / STEP - 0.5 - before);
}
