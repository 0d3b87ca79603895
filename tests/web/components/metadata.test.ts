import { describe, expect, it } from "vitest";
import { metadataOf, rowsOf } from "../../../web/components/metadata";

const stored = (value: string) => metadataOf([{ key: "k", value }]).k;

describe("metadata rows", () => {
  it("store numbers, booleans in any case, and texts", () => {
    expect(stored("42")).toBe(42);
    expect(stored(" -7 ")).toBe(-7);
    expect(stored("1.5")).toBe(1.5);
    expect(stored("TRUE")).toBe(true);
    expect(stored("false")).toBe(false);
    expect(stored("left hand")).toBe("left hand");
  });

  it("cut nothing: blanks, huge numbers and versions stay text", () => {
    expect(stored("  ")).toBe("  ");
    expect(stored("")).toBe("");
    expect(stored("12345678901234567890")).toBe("12345678901234567890");
    expect(stored("1.2.3")).toBe("1.2.3");
    expect(stored("1e5")).toBe("1e5");
  });

  it("leave out empty keys and the prototype's name", () => {
    const rows = ["", "  ", "__proto__", "a"].map((key) => ({ key, value: "1" }));
    expect(metadataOf(rows)).toEqual({ a: 1 });
  });

  it("give back what was there as it was, unless its text was changed", () => {
    const metadata = { name: "x", count: "5", nested: { a: [1, null] }, none: null, ok: true };
    const rows = rowsOf(metadata);
    expect(metadataOf(rows)).toEqual(metadata);
    const changed = rows.map((row) => (row.key === "count" ? { ...row, value: "6" } : row));
    expect(metadataOf(changed)).toEqual({ ...metadata, count: 6 });
  });
});
