import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebaseMetadata } from "../../../shared/edits/rebaseMetadata";

describe("rebaseMetadata", () => {
  it("applies the user's changes and keeps remote ones", () => {
    const before = { a: 1, b: 2, c: 3 };
    const after = { a: 10, c: 3, d: 4 };
    expect(rebaseMetadata(before, after, { a: 1, b: 2, c: 30, e: 5 })).toEqual({ a: 10, c: 30, d: 4, e: 5 });
  });

  it("returns the user's input if there is no remote change", () => {
    const map = fc.dictionary(fc.constantFrom("a", "b", "c", "constructor"), fc.integer());
    fc.assert(
      fc.property(map, map, (before, after) => {
        expect(rebaseMetadata(before, after, before)).toEqual({ ...after });
      }),
    );
  });
});
