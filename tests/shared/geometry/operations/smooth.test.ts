import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areSimple, isSimple } from "../../../../shared/geometry/isSimple";
import { smoothRings } from "../../../../shared/geometry/operations/smooth";
import { nearestOnOutline } from "../../../../shared/geometry/ring";
import { square, star } from "../shapes";

describe("smoothRings", () => {
  it("stays within the tolerance of the old outline, in both directions", () => {
    fc.assert(
      fc.property(star, fc.double({ min: 0.1, max: 8, noNaN: true }), (ring, tolerance) => {
        const [[smooth]] = smoothRings([[ring]], tolerance) as [[number[]]];
        const limit = tolerance + 0.11;
        for (let i = 0; i < ring.length; i += 2)
          expect(nearestOnOutline(smooth, ring[i]!, ring[i + 1]!)!.distance).toBeLessThanOrEqual(limit);
        for (let i = 0; i < smooth.length; i += 2)
          expect(nearestOnOutline(ring, smooth[i]!, smooth[i + 1]!)!.distance).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it("lets no simple outline cross itself", () => {
    fc.assert(
      fc.property(star, fc.double({ min: 0.1, max: 20, noNaN: true }), (ring, tolerance) => {
        fc.pre(isSimple(ring));
        expect(isSimple(smoothRings([[ring]], tolerance)[0]![0]!)).toBe(true);
      }),
    );
  });

  it("lets no hole cross the outline around it", () => {
    expect(areSimple(smoothRings([[square(0, 0, 100), square(1, 1, 98)]], 10)[0]!)).toBe(true);
  });

  it("turns the steps of a mask into a slope", () => {
    const steps = Array.from({ length: 40 }, (_, i) => [i, i, i + 1, i]).flat();
    const [[smooth]] = smoothRings([[[...steps, 40, 40, 40, 200, 0, 200]]], 2) as [[number[]]];
    expect(smooth.length).toBeLessThan(steps.length);
  });

  it("changes nothing without tolerance", () => {
    expect(smoothRings([[square(0, 0, 10)]], 0)).toEqual([[square(0, 0, 10)]]);
    expect(smoothRings([], 1)).toEqual([]);
  });
});
