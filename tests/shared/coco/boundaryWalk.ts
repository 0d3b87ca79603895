import type { Ring } from "../../../shared/entities/shape";

/**
 * The reference rasterisation written out, to compare the fast one with: every unit step of the boundary, enlarged five
 * times, is walked, and an image is filled from the toggles. 1 = in the mask; index = x * height + y.
 */
export function walkedMask(ring: Ring, width: number, height: number): Uint8Array {
  const toggles = new Uint32Array(width * height + 1);
  let u0 = Number.NaN;
  let v0 = 0;
  walkBoundary(ring, (u1, v1) => {
    if (!Number.isNaN(u0) && u0 !== u1) {
      const column = ((u1 < u0 ? u1 : u1 - 1) + 0.5) / 5 - 0.5;
      if (Number.isInteger(column) && column >= 0 && column <= width - 1) {
        const row = Math.ceil(Math.min(height, Math.max(0, (Math.min(v0, v1) + 0.5) / 5 - 0.5)));
        toggles[column * height + row]!++;
      }
    }
    u0 = u1;
    v0 = v1;
  });
  const mask = new Uint8Array(width * height);
  let inside = 0;
  for (let i = 0; i < mask.length; i++) {
    inside ^= toggles[i]! & 1;
    mask[i] = inside;
  }
  return mask;
}

function walkBoundary(ring: Ring, visit: (u: number, v: number) => void): void {
  const round = (value: number) => Math.trunc(value + 0.5);
  const points: [number, number][] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push([round(5 * ring[i]!), round(5 * ring[i + 1]!)]);
  points.forEach((from, i) => {
    const to = points[(i + 1) % points.length]!;
    const flat = Math.abs(to[0] - from[0]) >= Math.abs(to[1] - from[1]);
    const [long, short] = flat ? [0, 1] : [1, 0];
    const backward = from[long]! > to[long]!;
    const [a, b] = backward ? [to, from] : [from, to];
    const length = b[long]! - a[long]!;
    const slope = (b[short]! - a[short]!) / length;
    for (let step = 0; step <= length; step++) {
      const t = backward ? length - step : step;
      const other = length === 0 ? a[short]! : round(a[short]! + slope * t);
      if (flat) visit(a[0] + t, other);
      else visit(other, a[1] + t);
    }
  });
}

/** Returns a mask of bytes as run lengths, starting outside. */
export function runsOfBytes(mask: Uint8Array): number[] {
  const runs: number[] = [];
  let value = 0;
  let length = 0;
  for (const byte of mask) {
    if (byte !== value) {
      runs.push(length);
      length = 0;
      value = byte;
    }
    length++;
  }
  runs.push(length);
  return runs;
}
