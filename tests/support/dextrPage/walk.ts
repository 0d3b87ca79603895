import { startDextr } from "../../../web/io/dextr/startDextr";
import { bare } from "./bare";

export interface AskedWalk {
  /** Address of the image, and the position of the object on it. */
  address: string;
  x: number;
  y: number;
  /** Number of warm outlines, and of runs of the bare session. */
  rounds: number;
  /** Side of the square input of the bare session, in pixels. */
  size: number;
}

/** Milliseconds of a user's first minute with DEXTR. */
export interface Walk {
  /** From the request to the first outline, including all loading. */
  firstMs: number;
  /** Times of warm outlines, each from different points. */
  warmMs: number[];
  bareMs: number[];
  /** Tasks of the main thread over 50 ms during the measurement. */
  longTasksMs: number[];
  why: string;
}

/** Rounds that are not counted. */
const WARMING = 3;

export async function walk({ address, x, y, rounds, size }: AskedWalk): Promise<Walk> {
  const longTasksMs: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasksMs.push(duration);
  });
  observer.observe({ entryTypes: ["longtask"] });
  const dextr = startDextr();

  async function outline(round: number): Promise<number> {
    const [w, h] = [500 + 10 * round, 400 + 10 * round];
    const points: [number, number][] = [
      [x, y - h],
      [x + w, y],
      [x, y + h],
      [x - w, y],
    ];
    const started = performance.now();
    const request = { points, more: [], padding: 50, threshold: 80 };
    await dextr.predict({ id: 0, address }, request, new AbortController().signal);
    return performance.now() - started;
  }

  const firstMs = await outline(0);
  const warmMs: number[] = [];
  for (let round = -WARMING; round < rounds; round++) {
    const ms = await outline(round);
    if (round >= 0) warmMs.push(ms);
  }
  const { why } = dextr.status.getState();
  dextr.close();
  return { firstMs, warmMs, bareMs: await bare(size, rounds), longTasksMs, why };
}
