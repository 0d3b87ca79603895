import { createHash } from "node:crypto";
import { countCrossings } from "../../../shared/coco/raster/edges";
import type { Rings } from "../../../shared/entities/shape";
import { HttpError, unavailable } from "../../base/errors";
import { makePause } from "../../threads/makePause";
import { measureShape } from "./measureShape";
import type { Measurable, Measured, Wanted } from "./question";
import { askShapeThread } from "./shapeThreads";

/**
 * Shapes are measured when they are stored, inside a transaction, which must not wait for a thread. So a shape that
 * takes more than a few milliseconds is looked up in a cache. If it is missing there, the transaction is rolled back
 * (NeedsMeasuring), a thread measures the shape while no lock is held, and the transaction runs again.
 */

/**
 * Number of crossings of edges and pixel columns up to which shapes are measured without a thread, which takes about 5
 * ms.
 */
const LIGHT = 2 ** 17;
/** Costs of a point and of a character of an RLE, in crossings. */
const CROSSINGS_PER_POINT = 4;
const CROSSINGS_PER_CHARACTER = 1;
/** Number of crossings that one request may use, which take a thread a few seconds. */
const REQUEST_BUDGET = 2 ** 27;

/** Crossings that one request may still use. */
export interface Budget {
  left: number;
}

export const makeBudget = (): Budget => ({ left: REQUEST_BUDGET });

interface MeasuringOptions {
  signal?: AbortSignal;
  /** Set if several calls share the budget of one request. */
  budget?: Budget;
}

const MAX_CACHED = 2_000;
/** Cached measures by the shape's content. */
const cache = new Map<string, Measured>();
/** Cached measures by object identity, for shapes that are measured again within one transaction. */
const cacheByObject = new WeakMap<object, { size: string; measured: Measured }>();

/** Thrown by work that cannot continue until a thread has answered these questions: see `withMeasuring`. */
export class NeedsMeasuring extends Error {
  override name = "NeedsMeasuring";

  constructor(readonly wanted: readonly Wanted[]) {
    super("These shapes have not been measured yet.");
  }
}

/**
 * Runs work that measures, traces or compares shapes, and repeats it after a thread has processed the heavy shapes that
 * it needs. The work must be undone when it throws NeedsMeasuring, as a transaction is. Throws 413 if the request
 * exceeds its budget, and 429 if too much work of the requester is waiting.
 */
export async function withMeasuring<T>(
  requester: string,
  work: () => Promise<T> | T,
  { signal, budget = makeBudget() }: MeasuringOptions = {},
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NeedsMeasuring)) throw error;
      if (tries > MAX_TRIES) throw unavailable();
      await spend(budget, error.wanted);
      await askThread(requester, error.wanted, signal);
    }
  }
}

/** Charges the questions to the budget. Throws 413 if it is exceeded. Pauses, since counting crossings takes time. */
async function spend(budget: Budget, wanted: readonly Wanted[]): Promise<void> {
  const pause = makePause();
  for (const { cost } of wanted) {
    budget.left -= cost();
    if (budget.left < 0) throw tooMuch();
    await pause();
  }
}

/** Returns the requester name under which a user's work in threads is queued. */
export const requesterOf = ({ id }: { id: number }): string => `user ${id}`;

/**
 * Maximum number of repeats. Each measures at least one shape; many are needed only if the cache evicts shapes in use.
 */
const MAX_TRIES = 50;

const tooMuch = () =>
  new HttpError(413, "These outlines are too complex to measure in one request. Send fewer at a time.", {
    code: "too_much_to_measure",
  });

async function askThread(requester: string, wanted: readonly Wanted[], signal?: AbortSignal): Promise<void> {
  const questions = wanted.map(({ question }) => question);
  const answers = await askShapeThread(requester, questions, signal).catch((error: unknown) => {
    if (error instanceof Error && error.name === "TimeoutError") throw tooMuch();
    throw error;
  });
  for (const [i, answer] of answers.entries()) wanted[i]?.cacheAnswer(answer);
}

const wantedMeasure = (shape: Measurable): Wanted => ({
  question: { measure: shape },
  cost: () => costOf(shape),
  cacheAnswer: (answer) => {
    const { object, size } = identityOf(shape);
    cacheByObject.set(object, { size, measured: answer as Measured });
    store(keyOf(shape), answer as Measured);
  },
});

function store(key: string, measured: Measured): void {
  cache.set(key, measured);
  const [oldest = ""] = cache.keys();
  if (cache.size > MAX_CACHED) cache.delete(oldest);
}

/**
 * Measures a light shape, and looks up the measurement of a heavy shape. Throws NeedsMeasuring if no thread has
 * measured it yet.
 */
export function measured(shape: Measurable): Measured {
  const known = measuresOfObject(shape);
  if (known) return known;
  if (isLight([shape])) return measureShape(shape);
  const found = cache.get(keyOf(shape));
  if (!found) throw new NeedsMeasuring([wantedMeasure(shape)]);
  return found;
}

/**
 * Measures a light shape, so that a transaction only looks it up. Leaves a heavy shape, and one that costs more
 * crossings than `most`, to a thread. Returns the crossings that were used.
 */
export function measureAhead(shape: Measurable, most: number): number {
  if (measuresOfObject(shape)) return 0;
  const cost = costOf(shape);
  if (cost > Math.min(most, LIGHT)) return 0;
  const { object, size } = identityOf(shape);
  cacheByObject.set(object, { size, measured: measureShape(shape) });
  return cost;
}

/** Returns the cached measures of this object. */
function measuresOfObject(shape: Measurable): Measured | undefined {
  const { object, size } = identityOf(shape);
  const same = cacheByObject.get(object);
  return same?.size === size ? same.measured : undefined;
}

/**
 * Prepares to measure many shapes that are heavy in total, so that each is then only looked up. Throws NeedsMeasuring
 * for those that have not been measured.
 */
export function measureTogether(shapes: readonly Measurable[]): void {
  const unknown = shapes.filter((shape) => !measuresOfObject(shape));
  if (isLight(unknown)) return;
  const missing: Measurable[] = [];
  for (const shape of unknown) {
    const measured = cache.get(keyOf(shape));
    const { object, size } = identityOf(shape);
    if (measured) cacheByObject.set(object, { size, measured });
    else missing.push(shape);
  }
  if (missing.length > 0) throw new NeedsMeasuring(missing.map(wantedMeasure));
}

/** Returns the cost of measuring a shape, in crossings. */
export function costOf(shape: Measurable): number {
  return leastCostOf(shape) + ("rle" in shape ? 0 : countCrossings(shape.rings, shape.width));
}

/** Returns the part of the cost that is known without reading the coordinates. */
function leastCostOf(shape: Measurable): number {
  if ("rle" in shape) return CROSSINGS_PER_CHARACTER * shape.rle.counts.length;
  let points = 0;
  for (const polygon of shape.rings) for (const ring of polygon) points += ring.length >> 1;
  return CROSSINGS_PER_POINT * points;
}

/** Returns true if the shapes can be measured without a thread. Counts crossings only if there are few points. */
function isLight(shapes: readonly Measurable[]): boolean {
  const least = shapes.reduce((sum, shape) => sum + leastCostOf(shape), 0);
  return least <= LIGHT && shapes.reduce((sum, shape) => sum + costOf(shape), 0) <= LIGHT;
}

export const isHeavy = (shape: Measurable): boolean => !isLight([shape]);

const identityOf = (shape: Measurable) =>
  "rle" in shape ? { object: shape.rle, size: "" } : { object: shape.rings, size: `${shape.width} ${shape.height}` };

/** Hashes the content: the same shape in an image of the same size has the same key. */
export function keyOf(shape: Measurable): string {
  const hash = createHash("sha1");
  if ("rle" in shape) {
    const { size, counts } = shape.rle;
    hash.update(`${size} `).update(typeof counts === "string" ? counts : digestOfNumbers(counts));
  } else {
    hash.update(`${shape.width} ${shape.height} ${digestOfRings(shape.rings)}`);
  }
  return hash.digest("base64");
}

/** Length from which the digest of a list is cached. */
const LONG = 1_000;
const digests = new WeakMap<readonly number[], string>();

/** Hashes the numbers of a list. A long list is read only once. */
function digestOfNumbers(list: readonly number[]): string {
  const found = digests.get(list);
  if (found !== undefined) return found;
  const digest = createHash("sha1").update(new Float64Array(list)).digest("base64");
  if (list.length >= LONG) digests.set(list, digest);
  return digest;
}

/** Hashes the coordinates of polygons. */
export function digestOfRings(rings: Rings): string {
  const hash = createHash("sha1");
  for (const polygon of rings) {
    hash.update("polygon");
    for (const ring of polygon) hash.update(ring.length < LONG ? new Float64Array(ring) : digestOfNumbers(ring));
    hash.update(`${polygon.map((ring) => ring.length)}`);
  }
  return hash.digest("base64");
}
