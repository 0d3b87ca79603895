import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metadata as metadataSchema } from "../../../shared/entities/scalars";
import {
  isFixed,
  type MetadataRow,
  metadataOf,
  metadataProblems,
  metadataRows,
  parseMetadataValue,
  showMetadataValue,
} from "../../../shared/rules/metadataValue";

const typed = (key: string, text: string): MetadataRow => ({ key, text });

describe("the stored value of typed metadata", () => {
  it.each([
    ["0", 0],
    ["42", 42],
    ["-7", -7],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", Number.MIN_SAFE_INTEGER],
    ["1.5", 1.5],
    ["-0.25", -0.25],
    ["true", true],
    ["TRUE", true],
    ["False", false],
  ])("the text %s is a number or boolean", (text, value) => expect(parseMetadataValue(text)).toBe(value));

  it.each([
    "",
    " ",
    "\t",
    "1e3",
    "0x10",
    "0b1",
    "+5",
    "-0",
    "007",
    "-01",
    ".5",
    "5.",
    "1.50",
    "1.2.3",
    "1,5",
    "1_000",
    " 7",
    "7 ",
    " true",
    "9007199254740992",
    "9007199254740993",
    "12345678901234567890",
    "123456789012345680000",
    "0.30000000000000001",
    "0.0000001",
    "NaN",
    "Infinity",
    "null",
    "{}",
    "٣",
    "yes",
  ])("the text %j stays text", (text) => expect(parseMetadataValue(text)).toBe(text));

  it("a value is shown as it was typed, except for the case of true and false", () => {
    const numbers = fc.oneof(fc.double().map(String), fc.maxSafeInteger().map(String), fc.bigInt().map(String));
    fc.assert(
      fc.property(fc.oneof(fc.string(), numbers), (text) => {
        const shown = showMetadataValue(parseMetadataValue(text));
        expect(/^(true|false)$/i.test(text) ? shown : text).toBe(
          /^(true|false)$/i.test(text) ? text.toLowerCase() : shown,
        );
      }),
    );
  });
});

describe("rows of metadata", () => {
  it("rows return any metadata unchanged while nothing is typed", () => {
    const entries = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== "__proto__"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(entries, (map) => {
        const metadata = JSON.parse(JSON.stringify(map));
        expect(metadataOf(metadataRows(metadata))).toStrictEqual(metadata);
      }),
    );
  });

  it("rows keep a text that looks like a number, and an inexact number, until it is replaced", () => {
    const metadata = { code: "007", five: "5", huge: 1e300, yes: "TRUE" };
    const rows = metadataRows(metadata);
    expect(metadataOf(rows)).toEqual(metadata);
    const changed = rows.map((row) => (row.key === "five" ? { ...row, text: "6" } : row));
    expect(metadataOf(changed)).toEqual({ ...metadata, five: 6 });
    const back = changed.map((row) => (row.key === "five" ? { ...row, text: "5" } : row));
    expect(metadataOf(back)).toEqual(metadata);
  });

  it("rows keep a value when its key is changed", () => {
    const rows = metadataRows({ old: { deep: [1] } }).map((row) => ({ ...row, key: "new" }));
    expect(rows.every(isFixed)).toBe(true);
    expect(metadataOf(rows)).toEqual({ new: { deep: [1] } });
  });

  it("rows with an empty key are dropped", () => {
    expect(metadataOf([typed("", "1"), typed("  ", "2"), typed("a", "")])).toEqual({ a: "" });
    expect(metadataOf(metadataRows({ " ": 1, "": 2 }))).toEqual({ " ": 1 });
  });

  it("rows with the same key are both marked", () => {
    const rows = [typed("a", "1"), typed("b", "2"), typed("a", "3"), typed("", "4"), typed("", "5")];
    expect([...metadataProblems(rows)]).toEqual([
      [0, "Duplicate key"],
      [2, "Duplicate key"],
    ]);
  });

  it("rows are marked if the key has its own field, or cannot be stored", () => {
    const rows = [typed("name", "x"), typed("__proto__", "1"), typed("a\u0000", "1"), typed("b", "\ud800")];
    expect([...metadataProblems(rows, ["name"]).keys()]).toEqual([0, 1, 2, 3]);
    expect(metadataProblems([typed("name", "x")]).size).toBe(0);
  });

  it("rows named like prototype properties are ordinary entries, and touch no prototype", () => {
    const rows = [typed("constructor", "1"), typed("toString", "a"), typed("hasOwnProperty", "true")];
    expect(metadataProblems(rows).size).toBe(0);
    const metadata = metadataOf(rows);
    expect(Object.entries(metadata)).toEqual([
      ["constructor", 1],
      ["toString", "a"],
      ["hasOwnProperty", true],
    ]);
    expect(metadataSchema.parse(metadata)).toEqual(metadata);
    metadataOf([typed("__proto__", "x")]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("x");
  });
});
