/** Points of the same number of coordinates, one after the other. */
export interface Points {
  values: Float32Array;
  /** Number of coordinates of a point. */
  size: number;
}

/** References with which each candidate is compared at first: most are soon known to be near one of them. */
const FIRST = 32;
/**
 * References with which the farthest candidate is at least compared before another may be the farthest: the heap has
 * its cost.
 */
const AT_ONCE = 64;
/** Coordinates after which a distance is given up if it is too large already. */
const STEP = 16;
/**
 * Distances after which candidates are only compared with the choices: some seconds. Only points without any structure
 * need as many; their references then are a sample of at least FIRST.
 */
const MOST_DISTANCES = 50_000_000;

/**
 * Returns candidates in farthest-point order: each time the one whose distance to the nearest reference or earlier
 * choice is largest (Gonzalez 1985; as core-set selection, Sener and Savarese 2018), at most `most`; of equal ones the
 * first. Without references, the first choice is the candidate nearest to the mean. Candidates and references are
 * indices of points.
 *
 * The result is exact up to `mostDistances`, but not all distances are computed: those to more references only lower a
 * candidate's distance, so a candidate is compared with further ones only while it is the farthest (lazy evaluation, as
 * by Minoux 1978).
 */
export function farthestFirst(
  points: Points,
  references: readonly number[],
  candidates: readonly number[],
  most: number,
  mostDistances = MOST_DISTANCES,
): number[] {
  const chosen: number[] = [];
  if (candidates.length === 0 || most <= 0) return chosen;
  const near = scattered(references);
  let rest = candidates;
  const choose = (point: number) => {
    chosen.push(point);
    near.push(point);
  };
  if (near.length === 0) {
    const first = nearestToMean(points, candidates);
    choose(first);
    rest = candidates.filter((each) => each !== first);
  }
  /** For each candidate: its least squared distance to the references that it was compared with, and their number. */
  const bounds = new Float64Array(rest.length).fill(Number.POSITIVE_INFINITY);
  const compared = new Int32Array(rest.length);
  let left = Number.POSITIVE_INFINITY;
  /** Compares a candidate with more references, at most `count`. */
  const compare = (place: number, count: number) => {
    if (left <= 0) compared[place] = Math.max(compared[place]!, references.length);
    const end = Math.min(near.length, compared[place]! + count);
    left -= end - compared[place]!;
    while (compared[place]! < end) {
      const other = near[compared[place]!++]!;
      bounds[place] = Math.min(bounds[place]!, squaredDistance(points, rest[place]!, other, bounds[place]!));
    }
  };
  for (let place = 0; place < rest.length; place++) compare(place, FIRST);
  left = mostDistances;
  const isBefore = (a: number, b: number) => bounds[a]! > bounds[b]! || (bounds[a] === bounds[b] && a < b);
  const heap = makeHeap(rest.length, isBefore);
  while (chosen.length < most && heap.size() > 0) {
    const top = heap.top();
    while (compared[top]! < near.length && heap.isFirst()) compare(top, AT_ONCE);
    if (!heap.isFirst()) heap.sinkFirst();
    else {
      heap.removeFirst();
      choose(rest[top]!);
    }
  }
  return chosen;
}

/** Returns the squared Euclidean distance; any larger number if it is more than `enough`. */
function squaredDistance({ values, size }: Points, a: number, b: number, enough: number): number {
  const [from, to] = [a * size, b * size];
  let sum = 0;
  for (let i = 0; i < size && sum <= enough; ) {
    for (const end = Math.min(size, i + STEP); i < end; i++) {
      const difference = values[from + i]! - values[to + i]!;
      sum += difference * difference;
    }
  }
  return sum;
}

function nearestToMean(points: Points, candidates: readonly number[]): number {
  const { values, size } = points;
  const mean = new Float64Array(size);
  for (const point of candidates)
    for (let i = 0; i < size; i++) mean[i]! += values[point * size + i]! / candidates.length;
  let [nearest, least] = [candidates[0]!, Number.POSITIVE_INFINITY];
  for (const point of candidates) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += (values[point * size + i]! - mean[i]!) ** 2;
    if (sum < least) [nearest, least] = [point, sum];
  }
  return nearest;
}

/**
 * Returns the items in steps of about the golden section, so that the first ones are a sample: images that follow each
 * other are often alike.
 */
function scattered(items: readonly number[]): number[] {
  const { length } = items;
  let step = Math.max(1, Math.round(length * 0.618));
  while (greatestDivisor(step, length) > 1) step++;
  return items.map((_, i) => items[(i * step) % length]!);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Binary heap of the numbers 0 to `length` - 1 whose order changes only for the first one. */
function makeHeap(length: number, isBefore: (a: number, b: number) => boolean) {
  const heap = Int32Array.from({ length }, (_, i) => i);
  let size = length;
  /** Returns the child of a place that comes first; undefined if there is none. */
  const childOf = (place: number): number | undefined => {
    const left = 2 * place + 1;
    if (left >= size) return undefined;
    return left + 1 < size && isBefore(heap[left + 1]!, heap[left]!) ? left + 1 : left;
  };
  const sink = (from: number) => {
    for (let place = from, child = childOf(place); child !== undefined; child = childOf(place)) {
      const [item, other] = [heap[place]!, heap[child]!];
      if (!isBefore(other, item)) return;
      heap[place] = other;
      heap[child] = item;
      place = child;
    }
  };
  for (let place = size >> 1; place >= 0; place--) sink(place);
  return {
    size: () => size,
    top: () => heap[0]!,
    /** Returns true if no other item comes before the first one. */
    isFirst: () => {
      const child = childOf(0);
      return child === undefined || isBefore(heap[0]!, heap[child]!);
    },
    sinkFirst: () => sink(0),
    removeFirst: () => {
      heap[0] = heap[--size]!;
      sink(0);
    },
  };
}
