/** A segment x0, y0, x1, y1 in whole units. */
export type Segment = readonly [number, number, number, number];

/**
 * Returns the points, in whole units, in which two segments meet: none, one, or both ends of the part that they share.
 * An end that lies on the other segment is returned exactly, a crossing is rounded.
 */
export function meetingPoints(a: Segment, b: Segment): [number, number][] {
  const [ax, ay, bx, by] = a;
  const [cx, cy, dx, dy] = b;
  if (
    Math.max(ax, bx) < Math.min(cx, dx) ||
    Math.max(cx, dx) < Math.min(ax, bx) ||
    Math.max(ay, by) < Math.min(cy, dy) ||
    Math.max(cy, dy) < Math.min(ay, by)
  )
    return [];
  const [sideA, sideB] = [side(b, ax, ay), side(b, bx, by)];
  const [sideC, sideD] = [side(a, cx, cy), side(a, dx, dy)];
  if ((sideA < 0 && sideB > 0) || (sideA > 0 && sideB < 0)) {
    if ((sideC < 0 && sideD > 0) || (sideC > 0 && sideD < 0)) {
      const t = sideA / (sideA - sideB);
      return [[Math.round(ax + t * (bx - ax)), Math.round(ay + t * (by - ay))]];
    }
  }
  const ends: [number, number][] = [];
  if (sideA === 0 && isBetween(b, ax, ay)) ends.push([ax, ay]);
  if (sideB === 0 && isBetween(b, bx, by)) ends.push([bx, by]);
  if (sideC === 0 && isBetween(a, cx, cy)) ends.push([cx, cy]);
  if (sideD === 0 && isBetween(a, dx, dy)) ends.push([dx, dy]);
  return ends;
}

/** Returns the side of a segment on which a point lies, as a sign; 0 if it lies on the line through the segment. */
function side([ax, ay, bx, by]: Segment, x: number, y: number): number {
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

function isBetween([ax, ay, bx, by]: Segment, x: number, y: number): boolean {
  return x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}

/** Returns the points in order along a segment, with its ends and without repetitions. */
export function along([ax, ay, bx, by]: Segment, points: readonly [number, number][]): [number, number][] {
  const at = ([x, y]: readonly [number, number]) => (x - ax) * (bx - ax) + (y - ay) * (by - ay);
  const inner = points.filter(([x, y]) => (x !== ax || y !== ay) && (x !== bx || y !== by));
  const sorted = inner.sort((one, other) => at(one) - at(other));
  const all: [number, number][] = [[ax, ay], ...sorted, [bx, by]];
  return all.filter(([x, y], i) => i === 0 || x !== all[i - 1]![0] || y !== all[i - 1]![1]);
}
