import { GUIDE_RADIUS, GUIDE_SOFTNESS } from "../base/recipe";

/** The coefficients are computed at half the resolution: equally good, and four times as fast. */
const STEP = 2;

/**
 * Moves the borders of a probability to where the colours change: the network knows only roughly where an object ends,
 * the pixels show exactly where. Returns size × size values in 0..1. `colours` has three planes of the same crop in
 * -1..1; `size` is even.
 *
 * Method: the guided filter with a colour guide (He, Sun and Tang 2010, "Guided Image Filtering"), with coefficients
 * from fewer pixels (He and Sun 2015, "Fast Guided Filter"). Around each pixel, the probability is approximated by a
 * linear function of the colour.
 */
export function guided(probability: Float32Array, colours: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const area = size * size;
  const side = size / STEP;
  const guide = [0, 1, 2].map((c) => halved(colours.subarray(c * area, (c + 1) * area), size)) as Colours;
  const smooth = smoother(side);
  const [reds, greens, blues, rests] = explained(halved(probability, size), guide, smooth).map(smooth) as Coefficients;
  const out = new Float32Array(area);
  const lines = [0, 1, 2, 3].map(() => new Float32Array(size)) as Coefficients;
  const [red, green, blue, rest] = lines;
  for (let y = 0; y < size; y++) {
    enlarge(reds, side, y, red);
    enlarge(greens, side, y, green);
    enlarge(blues, side, y, blue);
    enlarge(rests, side, y, rest);
    for (let x = 0, i = y * size; x < size; x++, i++) {
      const value =
        red[x]! * colours[i]! + green[x]! * colours[i + area]! + blue[x]! * colours[i + 2 * area]! + rest[x]!;
      out[i] = value < 0 ? 0 : value > 1 ? 1 : value;
    }
  }
  return out;
}

type Plane = Float32Array;
type Colours = [red: Plane, green: Plane, blue: Plane];
type Coefficients = [...Colours, rest: Plane];
/** Returns the mean of the square around each pixel of a plane. */
type Smooth = (plane: Plane) => Plane;

/**
 * Returns, for each pixel, the best linear function from colours to the probability around it: three slopes and a
 * constant.
 */
function explained(probability: Plane, [red, green, blue]: Colours, smooth: Smooth): Coefficients {
  const product = (a: Plane, b: Plane) => {
    const out = new Float32Array(a.length);
    for (let i = 0; i < out.length; i++) out[i] = a[i]! * b[i]!;
    return smooth(out);
  };
  const [r, g, b, p] = [smooth(red), smooth(green), smooth(blue), smooth(probability)];
  const [rr, rg, rb] = [product(red, red), product(red, green), product(red, blue)];
  const [gg, gb, bb] = [product(green, green), product(green, blue), product(blue, blue)];
  const [rp, gp, bp] = [product(red, probability), product(green, probability), product(blue, probability)];
  // Each slope overwrites a product that is no longer needed.
  const out: Coefficients = [rp, gp, bp, new Float32Array(p.length)];
  const rest = out[3];
  // This loop uses no arrays, which would be slow until the loop is compiled.
  for (let i = 0; i < rest.length; i++) {
    const mr = r[i]!;
    const mg = g[i]!;
    const mb = b[i]!;
    const mp = p[i]!;
    // Covariances of the colours, a symmetric matrix, and of the colours with the probability.
    const xx = rr[i]! - mr * mr + GUIDE_SOFTNESS;
    const xy = rg[i]! - mr * mg;
    const xz = rb[i]! - mr * mb;
    const yy = gg[i]! - mg * mg + GUIDE_SOFTNESS;
    const yz = gb[i]! - mg * mb;
    const zz = bb[i]! - mb * mb + GUIDE_SOFTNESS;
    const x = rp[i]! - mr * mp;
    const y = gp[i]! - mg * mp;
    const z = bp[i]! - mb * mp;
    // The matrix's inverse, by cofactors.
    const c00 = yy * zz - yz * yz;
    const c01 = xz * yz - xy * zz;
    const c02 = xy * yz - xz * yy;
    const c11 = xx * zz - xz * xz;
    const c12 = xy * xz - xx * yz;
    const c22 = xx * yy - xy * xy;
    const share = 1 / (xx * c00 + xy * c01 + xz * c02);
    const sr = (c00 * x + c01 * y + c02 * z) * share;
    const sg = (c01 * x + c11 * y + c12 * z) * share;
    const sb = (c02 * x + c12 * y + c22 * z) * share;
    rp[i] = sr;
    gp[i] = sg;
    bp[i] = sb;
    rest[i] = mp - sr * mr - sg * mg - sb * mb;
  }
  return out;
}

/** Returns the mean of each two by two pixels. */
function halved(plane: Plane, size: number): Plane {
  const side = size / STEP;
  const out = new Float32Array(side * side);
  for (let y = 0, i = 0; y < side; y++)
    for (let x = 0, at = STEP * y * size; x < side; x++, i++, at += STEP)
      out[i] = (plane[at]! + plane[at + 1]! + plane[at + size]! + plane[at + size + 1]!) / 4;
  return out;
}

/** Returns the filter for planes of side × side pixels. Only the part of a square inside the plane counts. */
function smoother(side: number): Smooth {
  const shares = Float64Array.from({ length: side }, (_, place) => {
    const [first, last] = [Math.max(place - GUIDE_RADIUS, 0), Math.min(place + GUIDE_RADIUS, side - 1)];
    return 1 / (last - first + 1);
  });
  const across = new Float32Array(side * side);
  const sums = new Float64Array(side);
  const add = (row: number, sign: number) => {
    for (let x = 0, i = row * side; x < side; x++, i++) sums[x]! += sign * across[i]!;
  };
  return (plane) => {
    for (let start = 0; start < plane.length; start += side) {
      let sum = 0;
      for (let x = 0; x < GUIDE_RADIUS; x++) sum += plane[start + x]!;
      for (let x = 0; x < side; x++) {
        if (x + GUIDE_RADIUS < side) sum += plane[start + x + GUIDE_RADIUS]!;
        if (x > GUIDE_RADIUS) sum -= plane[start + x - GUIDE_RADIUS - 1]!;
        across[start + x] = sum * shares[x]!;
      }
    }
    const out = new Float32Array(plane.length);
    sums.fill(0);
    for (let y = 0; y < GUIDE_RADIUS; y++) add(y, 1);
    for (let y = 0; y < side; y++) {
      if (y + GUIDE_RADIUS < side) add(y + GUIDE_RADIUS, 1);
      if (y > GUIDE_RADIUS) add(y - GUIDE_RADIUS - 1, -1);
      const share = shares[y]!;
      for (let x = 0, i = y * side; x < side; x++, i++) out[i] = sums[x]! * share;
    }
    return out;
  };
}

/** Writes row `y` of a plane scaled up by two, interpolated linearly between the centres of its pixels, to `line`. */
function enlarge(plane: Plane, side: number, y: number, line: Plane): void {
  const near = (y >> 1) * side;
  const far = Math.min(Math.max((y >> 1) + (y & 1 ? 1 : -1), 0), side - 1) * side;
  let before = NEAR * plane[near]! + FAR * plane[far]!;
  let here = before;
  for (let x = 0; x < side; x++) {
    const after = x + 1 < side ? NEAR * plane[near + x + 1]! + FAR * plane[far + x + 1]! : here;
    line[2 * x] = NEAR * here + FAR * before;
    line[2 * x + 1] = NEAR * here + FAR * after;
    before = here;
    here = after;
  }
}

/** Weights of the two pixels of the smaller plane between whose centres an enlarged pixel lies. */
const NEAR = 0.75;
const FAR = 0.25;
