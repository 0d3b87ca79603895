import fc from "fast-check";
import { expect, test } from "vitest";
import { isShort, jsonInTurns, jsonPieces, keepTexts } from "../../../server/threads/jsonInTurns";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i / 7);

test("the chunks equal the text that JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 20 }), (value, copies) => {
      const all = { value, list: Array.from({ length: copies }, () => value), many: numbers(3_000 * copies) };
      expect([...jsonPieces(all)].join("")).toBe(JSON.stringify(all));
    }),
    { numRuns: 50 },
  );
});

test("values that JSON omits or converts are the same in chunks", () => {
  const odd = { a: undefined, b: [undefined, Number.NaN, -0], c: new Date(0), d: { toJSON: () => "e" }, 'f"': null };
  const long = { ...odd, many: numbers(20_000), lists: [[odd, numbers(6_000), odd], [], {}], last: undefined };
  expect([...jsonPieces(long)].join("")).toBe(JSON.stringify(long));
});

test("no chunk holds more than a few thousand values, however the value is nested", () => {
  const long = { rings: [[numbers(200_000)]], items: numbers(30_000).map((x) => ({ x, y: [x, x] })) };
  const pieces = [...jsonPieces(long)];
  expect(pieces.join("")).toBe(JSON.stringify(long));
  expect(Math.max(...pieces.map((piece) => piece.split(",").length))).toBeLessThan(15_000);
});

test("writing a long value does not block other work, and a short one is written at once", async () => {
  const long = { rings: [[numbers(400_000)]] };
  expect(isShort(long)).toBe(false);
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const text = await jsonInTurns(long);
  clearInterval(ticking);
  expect(text).toBe(JSON.stringify(long));
  expect(turns).toBeGreaterThan(3);
  expect(isShort({ rings: [[numbers(1_000)]] })).toBe(true);
  expect(await jsonInTurns({ a: [1] })).toBe('{"a":[1]}');
});

test("a long list of numbers is serialized once, and other values each time", async () => {
  const ring = numbers(30_000);
  const mixed = [...numbers(6_000), "😀".repeat(30_000)];
  const value = { base: 0, before: {}, after: { rings: [[ring]], mixed, named: { a: 1, b: [1, 2] } } };
  await keepTexts(value);
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
  expect(Math.max(...[...jsonPieces([ring])].map((piece) => piece.length))).toBeLessThanOrEqual(60_000);
  const text = JSON.stringify([ring, mixed]);
  ring.push(1);
  mixed.push(1);
  expect([...jsonPieces([ring])].join("")).toBe(`[${text.slice(1, text.indexOf("]") + 1)}]`);
  expect([...jsonPieces(mixed)].join("")).toBe(JSON.stringify(mixed));
});
