import { describe, expect, it } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { LatestWand } from "../../../../web/io/workers/wand";

const OPTIONS = { threshold: 30, blur: 40 };

/** Returns a wand whose computations end on request. Each returns a ring with its gesture and x. */
function slowWand() {
  const begun: { gesture: number; x: number; finish: () => void; fail: () => void }[] = [];
  const wand = new LatestWand(
    (gesture, x) =>
      new Promise<Rings>((resolve, reject) => {
        const finish = () => resolve([[[gesture, x]]]);
        begun.push({ gesture, x, finish, fail: () => reject(new Error("The image cannot be reached.")) });
      }),
    () => undefined,
  );
  return { wand, begun, xs: () => begun.map(({ x }) => x), grow: (x: number) => wand.grow(x, 0, OPTIONS) };
}

describe("LatestWand", () => {
  it("computes one point at a time, and of the waiting ones only the newest", async () => {
    const { begun, xs, grow } = slowWand();
    const answers = [1, 2, 3, 4].map(grow);
    expect(xs()).toEqual([1]);
    expect(await Promise.all(answers.slice(1, 3))).toEqual([null, null]);
    begun[0]!.finish();
    expect(await answers[0]).toEqual([[[0, 1]]]);
    await Promise.resolve();
    expect(xs()).toEqual([1, 4]);
    begun[1]!.finish();
    expect(await answers[3]).toEqual([[[0, 4]]]);
  });

  it("computes the last point of a gesture even after the next gesture has begun", async () => {
    const { wand, begun, grow } = slowWand();
    const [first, last] = [grow(1), grow(2)];
    wand.end();
    const next = grow(3);
    begun[0]!.finish();
    expect(await first).toEqual([[[0, 1]]]);
    await Promise.resolve();
    begun[1]!.finish();
    expect(await last).toEqual([[[0, 2]]]);
    await Promise.resolve();
    begun[2]!.finish();
    expect(await next).toEqual([[[1, 3]]]);
  });

  it("rejects a point that cannot be computed and continues with the next", async () => {
    const { begun, xs, grow } = slowWand();
    const [first, second] = [grow(1), grow(2)];
    begun[0]!.fail();
    await expect(first).rejects.toThrow("cannot be reached");
    expect(xs()).toEqual([1, 2]);
    begun[1]!.finish();
    expect(await second).toEqual([[[0, 2]]]);
  });
});
