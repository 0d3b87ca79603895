import { expect, test } from "vitest";
import { rememberedRegions } from "../../../../web/io/workers/regions";
import { WorkerStopped } from "../../../../web/io/workers/workerThread";

const OPTIONS = { threshold: 30, blur: 1, simplify: 0 };
const at = (x: number) => ({ x, y: 0, options: OPTIONS });

/** Returns a worker that knows the regions of one gesture until it dies. Outlines are lists of their places. */
function mortalWorker() {
  let known: { gesture: number; places: number[] } = { gesture: -1, places: [] };
  let isNew = true;
  let deaths = 0;
  const die = () => {
    known = { gesture: -1, places: [] };
    isNew = true;
  };
  const grow = rememberedRegions<number[]>({
    grow: async (gesture, { x }) => {
      if (deaths > 0) {
        deaths--;
        die();
        throw new WorkerStopped("It has died.", true);
      }
      if (gesture !== known.gesture) known = { gesture, places: [] };
      known.places.push(x);
      return [...known.places];
    },
    isNewWorker: () => {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
  });
  return {
    grow,
    die,
    dieAtNext: (times: number) => {
      deaths = times;
    },
  };
}

test("a gesture keeps its regions if the worker dies between two of them", async () => {
  const { grow, die } = mortalWorker();
  await grow(1, at(1));
  await grow(1, at(2));
  die();
  expect(await grow(1, at(3))).toEqual([1, 2, 3]);
  expect(await grow(1, at(4))).toEqual([1, 2, 3, 4]);
});

test("a gesture keeps its regions if the worker dies during one of them", async () => {
  const { grow, dieAtNext } = mortalWorker();
  await grow(1, at(1));
  dieAtNext(1);
  expect(await grow(1, at(2))).toEqual([1, 2]);
});

test("a gesture rejects if the next worker dies too, and the call after that has all regions again", async () => {
  const { grow, dieAtNext } = mortalWorker();
  await grow(1, at(1));
  dieAtNext(2);
  await expect(grow(1, at(2))).rejects.toThrow("It has died.");
  expect(await grow(1, at(3))).toEqual([1, 3]);
});

test("another gesture starts without regions", async () => {
  const { grow, die } = mortalWorker();
  await grow(1, at(1));
  die();
  expect(await grow(2, at(5))).toEqual([5]);
});
