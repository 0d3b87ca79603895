import { createHash } from "node:crypto";
import { countCrossings } from "../../../shared/coco/edges";
import type { Rings } from "../../../shared/entities/shape";
import { HttpError, unavailable } from "../../base/errors";
import { makePause } from "../../threads/makePause";
import { measureShape } from "./measureShape";
import type { Measurable, Measured, Wanted } from "./question";
import { askShapeThread } from "./shapeThreads";

/**
 * Shapes are measured where they are stored, in the middle of a transaction, which must not wait for a thread. So a shape
 * that costs more than a few milliseconds is looked up among those that were measured; where it is not there, all is
 * taken back (NeedsMeasuring), a thread measures it while no lock is held, and the work is done once more.
 */

/** Crossings of edges and columns that are measured at once: about 5 ms. */
const LIGHT = 2 ** 17;
/** Points and characters cost less. */
const CROSSINGS_PER_POINT = 4;
const CROSSINGS_PER_CHARACTER = 1;
/** Crossings that one request may have measured: a few seconds of a thread. */
const REQUEST_BUDGET = 2 ** 27;

/** Crossings that one request may still have measured. */
export interface Budget {
  left: number;
}

export const makeBudget = (): Budget => ({ left: REQUEST_BUDGET });

interface MeasuringOptions {
  signal?: AbortSignal;
  /** Set if several works share the budget of one request. */
  budget?: Budget;
}

/** Measured shapes that are kept, by their content. */
const KEPT = 2_000;
const kept = new Map<string, Measured>();
/** The same by the very object, for what comes back within one transaction. */
const known = new WeakMap<object, { size: string; measured: Measured }>();

/** Thrown in the middle of work that cannot go on before these questions are answered: see `withMeasuring`. */
export class NeedsMeasuring extends Error {
  override name = "NeedsMeasuring";

  constructor(readonly wanted: readonly Wanted[]) {
    super("These shapes are not measured yet.");
  }
}

/**
 * Does work that measures, traces or compares shapes, anew when it meets heavy ones that a thread has to see first. What the work did
 * must be taken back when it throws NeedsMeasuring, as a transaction is. Throws 413 beyond a request's budget and 429
 * where the taker's shapes pile up.
 */
export async function withMeasuring<T>(
  taker: string,
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
      await askThread(taker, error.wanted, signal);
    }
  }
}

/** Throws 413 where the questions cost more than is left. Counting the crossings of long outlines takes its time. */
async function spend(budget: Budget, wanted: readonly Wanted[]): Promise<void> {
  const pause = makePause();
  for (const { cost } of wanted) {
    budget.left -= cost();
    if (budget.left < 0) throw tooMuch();
    await pause();
  }
}

/** Returns the name under which a user takes threads. */
export const takerOf = ({ id }: { id: number }): string => `user ${id}`;

/** Each time at least one shape is measured; more often only if others drive them out again. */
const MAX_TRIES = 50;

const tooMuch = () =>
  new HttpError(413, "These outlines cross the image too often to be measured at once. Send fewer at a time.", {
    code: "too_much_to_measure",
  });

async function askThread(taker: string, wanted: readonly Wanted[], signal?: AbortSignal): Promise<void> {
  const questions = wanted.map(({ question }) => question);
  const answers = await askShapeThread(taker, questions, signal).catch((error: unknown) => {
    if (error instanceof Error && error.name === "TimeoutError") throw tooMuch();
    throw error;
  });
  for (const [i, answer] of answers.entries()) wanted[i]?.keep(answer);
}

const wantedMeasure = (shape: Measurable): Wanted => ({
  question: { measure: shape },
  cost: () => costOf(shape),
  keep: (answer) => {
    const { object, size } = identityOf(shape);
    known.set(object, { size, measured: answer as Measured });
    keep(keyOf(shape), answer as Measured);
  },
});

function keep(key: string, measured: Measured): void {
  kept.set(key, measured);
  const [oldest = ""] = kept.keys();
  if (kept.size > KEPT) kept.delete(oldest);
}

/** Measures a shape: at once where that is light, else as a thread has. Throws NeedsMeasuring where it has not. */
export function measured(shape: Measurable): Measured {
  const before = measuredBefore(shape);
  if (before) return before;
  if (isLight([shape])) return measureShape(shape);
  const found = kept.get(keyOf(shape));
  if (!found) throw new NeedsMeasuring([wantedMeasure(shape)]);
  return found;
}

/** Returns the measures of the very object. */
function measuredBefore(shape: Measurable): Measured | undefined {
  const { object, size } = identityOf(shape);
  const same = known.get(object);
  return same?.size === size ? same.measured : undefined;
}

/**
 * Has all shapes measured that are heavy together, before the first of them is asked for: each then costs next to
 * nothing. Throws NeedsMeasuring for those that are not.
 */
export function measureTogether(shapes: readonly Measurable[]): void {
  if (isLight(shapes)) return;
  const missing: Measurable[] = [];
  for (const shape of shapes) {
    if (measuredBefore(shape)) continue;
    const measured = kept.get(keyOf(shape));
    const { object, size } = identityOf(shape);
    if (measured) known.set(object, { size, measured });
    else missing.push(shape);
  }
  if (missing.length > 0) throw new NeedsMeasuring(missing.map(wantedMeasure));
}

/** In crossings. */
export function costOf(shape: Measurable): number {
  return leastCostOf(shape) + ("rle" in shape ? 0 : countCrossings(shape.rings, shape.width));
}

/** The part of the cost that is known without looking at the coordinates. */
function leastCostOf(shape: Measurable): number {
  if ("rle" in shape) return CROSSINGS_PER_CHARACTER * shape.rle.counts.length;
  let points = 0;
  for (const polygon of shape.rings) for (const ring of polygon) points += ring.length >> 1;
  return CROSSINGS_PER_POINT * points;
}

/** Crossings are counted where there are few points only: what has many is heavy anyway. */
function isLight(shapes: readonly Measurable[]): boolean {
  const least = shapes.reduce((sum, shape) => sum + leastCostOf(shape), 0);
  return least <= LIGHT && shapes.reduce((sum, shape) => sum + costOf(shape), 0) <= LIGHT;
}

export const isHeavy = (shape: Measurable): boolean => !isLight([shape]);

const identityOf = (shape: Measurable) =>
  "rle" in shape ? { object: shape.rle, size: "" } : { object: shape.rings, size: `${shape.width} ${shape.height}` };

/** A name made of the content: the same shape in an image of the same size has the same. */
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

/** Values from which on the digest of a list is remembered. */
const LONG = 1_000;
const digests = new WeakMap<readonly number[], string>();

/** Returns a name made of the numbers of a list. A long list is not read again. */
function digestOfNumbers(list: readonly number[]): string {
  const found = digests.get(list);
  if (found !== undefined) return found;
  const digest = createHash("sha1").update(new Float64Array(list)).digest("base64");
  if (list.length >= LONG) digests.set(list, digest);
  return digest;
}

/** Returns a name made of the coordinates of polygons. */
export function digestOfRings(rings: Rings): string {
  const hash = createHash("sha1");
  for (const polygon of rings) {
    hash.update("polygon");
    for (const ring of polygon) hash.update(ring.length < LONG ? new Float64Array(ring) : digestOfNumbers(ring));
    hash.update(`${polygon.map((ring) => ring.length)}`);
  }
  return hash.digest("base64");
}
