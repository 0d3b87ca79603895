import { describe, expect, it } from "vitest";
import { estimates } from "../../../../model/evaluate/statistics/bootstrap";
import { uniforms } from "../../../../model/evaluate/statistics/random";

/** Returns a group of one row of one column for each value. */
const alone = (values: readonly number[]) => values.map((value) => [[value]]);

describe("estimates", () => {
  it("are exact for equal values", () => {
    expect(estimates(alone([0.5, 0.5, 0.5]))).toEqual([{ mean: 0.5, low: 0.5, high: 0.5 }]);
  });

  it("have the interval of a mean of independent values", () => {
    // 400 values, half of them 0 and half 1: the mean's standard error is 0.5 / 20, 1.96 of them are 0.049.
    const [found] = estimates(alone(Array.from({ length: 400 }, (_, n) => n % 2)));
    expect(found!.mean).toBe(0.5);
    expect(found!.low).toBeCloseTo(0.451, 2);
    expect(found!.high).toBeCloseTo(0.549, 2);
  });

  it("are wider if objects of a photograph are alike", () => {
    const grouped = Array.from({ length: 100 }, (_, n) => Array.from({ length: 4 }, () => [n % 2]));
    const [found] = estimates(grouped);
    // 100 photographs instead of 400 objects: twice the standard error.
    expect(found!.low).toBeCloseTo(0.402, 1);
    expect(found!.high - found!.low).toBeGreaterThan(0.17);
  });

  it("weigh objects, not photographs, and treat each column by itself", () => {
    const [first, second] = estimates([
      [
        [1, 0],
        [1, 0],
        [1, 3],
      ],
      [[0, 1]],
    ]);
    expect([first!.mean, second!.mean]).toEqual([0.75, 1]);
  });

  it("are the same in repeated calls", () => {
    const random = uniforms(4);
    const groups = alone(Array.from({ length: 30 }, random));
    expect(estimates(groups)).toEqual(estimates(groups));
  });
});

describe("uniforms", () => {
  it("are spread evenly, and differ for another seed", () => {
    const random = uniforms(1);
    const counts = [0, 0, 0, 0];
    for (let n = 0; n < 4000; n++) counts[Math.min(3, Math.floor(4 * random()))]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(100);
    expect(uniforms(1)()).toBe(uniforms(1)());
    expect(uniforms(2)()).not.toBe(uniforms(1)());
  });
});
