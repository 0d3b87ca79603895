import fc from "fast-check";
import { expect, test } from "vitest";
import { numbersText } from "../../../server/threads/numbersText";

const decimals = fc.tuple(fc.integer({ min: -3_000_000, max: 2_000_000_000 }), fc.constantFrom(1, 10, 100, 1000));
const numbers = fc.oneof(
  fc.double(),
  decimals.map(([digits, scale]) => digits / scale),
);

test("the text equals the one that JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.array(numbers), (list) => {
      expect(numbersText(list)).toBe(JSON.stringify(list));
    }),
    { numRuns: 2000 },
  );
});

test("long lists and unusual numbers", () => {
  const odd = [
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    5e-324,
    -Number.MAX_VALUE,
    1e21,
    0.1 + 0.2,
    1.005,
    8.29,
    0.07,
  ];
  const long = Array.from({ length: 9_001 }, (_, i) => odd[i % odd.length]! * (i % 3));
  for (const list of [odd, long, []]) expect(numbersText(list)).toBe(JSON.stringify(list));
});
