import { Binary, Decimal128, type Document, Double, Int32, Long, ObjectId, serialize } from "bson";
import { expect, it } from "vitest";
import {
  dateOf,
  flagOf,
  idOfKey,
  jsonOf,
  keyOf,
  latin1Of,
  numberOf,
  parseDocument,
  textOf,
} from "../../../../../server/features/migration/dump/values";

/** Returns a value as it is read from a file. */
const stored = (value: unknown) => parseDocument(serialize({ value } as Document))?.value;

it.each([5, new Int32(5), new Double(5), Long.fromNumber(5), Decimal128.fromString("5"), "5"])(
  "ids of every type of number are the same: %s",
  (value) => {
    expect(keyOf(stored(value))).toBe("5");
    expect(numberOf(stored(value))).toBe(5);
  },
);

it("reads other ids as text, and only positive integers of 31 bits as numbers", () => {
  expect(keyOf(stored(new ObjectId("5e0000000000000000000001")))).toBe("5e0000000000000000000001");
  expect(keyOf(stored(Long.fromString("9007199254740993")))).toBe("9007199254740993");
  expect(keyOf(null)).toBeUndefined();
  expect(["1", "2147483647", "2147483648", "0", "-1", "1.5", "x", undefined].map(idOfKey)).toEqual([
    1,
    2147483647,
    ...Array(6).fill(undefined),
  ]);
});

it("reads dates, flags and texts of several kinds", () => {
  const at = new Date("2020-01-02T03:04:05Z");
  for (const value of [at, at.getTime(), at.toISOString(), "2020-01-02 03:04:05", { $date: at.getTime() }])
    expect(dateOf(stored(value))).toEqual(at);
  for (const value of ["soon", null, Number.NaN, new Date(Number.NaN), 1e18]) expect(dateOf(value)).toBeUndefined();
  expect([true, 1, "true", "1", false, 0, "false", null, undefined].map(flagOf)).toEqual([
    ...Array(4).fill(true),
    ...Array(5).fill(false),
  ]);
  expect(textOf("a\u0000b\ud800")).toBe("ab\ufffd");
  expect(numberOf(Number.NaN)).toBeUndefined();
});

it("reads any value as JSON that PostgreSQL stores", () => {
  const value = {
    date: new Date(0),
    id: new ObjectId("5e0000000000000000000001"),
    long: Long.fromString("9007199254740993"),
    small: Long.fromNumber(3),
    decimal: Decimal128.fromString("1.5"),
    nan: Number.NaN,
    bytes: new Binary(Buffer.from("ab")),
    list: [1, [null, Number.POSITIVE_INFINITY]],
    pattern: /x/,
    "a\u0001": "\ud800",
  };
  expect(jsonOf(stored(value))).toEqual({
    date: "1970-01-01T00:00:00.000Z",
    id: "5e0000000000000000000001",
    long: "9007199254740993",
    small: 3,
    decimal: 1.5,
    nan: null,
    bytes: "YWI=",
    list: [1, [null, null]],
    pattern: expect.anything(),
    "a\u0001": "\ufffd",
  });
  expect(latin1Of(stored(new Binary(Buffer.from("0:5"))))).toBe("0:5");
});
