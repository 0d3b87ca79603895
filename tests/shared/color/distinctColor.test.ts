import { expect, it } from "vitest";
import { distinctColor } from "../../../shared/color/distinctColor";
import { randomColor } from "../../../shared/color/randomColor";
import { seededRandom } from "../../support/seededRandom";

const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Returns the smallest distance of two of the colours, in a cube of 256 steps per side. */
function smallestDistance(colors: readonly string[]): number {
  const points = colors.map(channelsOf);
  const distances = points.flatMap((a, n) => points.slice(n + 1).map((b) => Math.hypot(...a.map((v, i) => v - b[i]!))));
  return Math.min(...distances);
}

it("returns distinguishable colours one after another", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = seededRandom(seed);
    const made: string[] = [];
    for (let n = 0; n < 6; n++) made.push(distinctColor(made, random));
    expect(smallestDistance(made), made.join()).toBeGreaterThan(90);
    const careless = Array.from({ length: 6 }, () => randomColor(random));
    expect(smallestDistance(careless)).toBeLessThan(smallestDistance(made));
  }
});

it("ignores invalid colours", () => {
  expect(distinctColor([])).toMatch(/^#[\da-f]{6}$/);
  expect(distinctColor(["red", "", "#12"])).toMatch(/^#[\da-f]{6}$/);
});
