import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebaseNames } from "../../../shared/edits/rebaseNames";

describe("names that somebody added and took away, on top of what others did meanwhile", () => {
  it("adds and takes away mine and keeps theirs", () => {
    expect(rebaseNames(["ann", "bob", "cy"], ["ann", "cy", "eve"], ["bob", "cy", "dan"])).toEqual(["cy", "dan", "eve"]);
  });

  it("takes what both added once", () => {
    expect(rebaseNames([], ["eve", "dan"], ["dan"])).toEqual(["dan", "eve"]);
  });

  it("is what was chosen where nobody else changed anything, and what there is where nothing was chosen", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "constructor"));
    fc.assert(
      fc.property(names, names, (before, other) => {
        expect(rebaseNames(before, other, before).toSorted()).toEqual(other.toSorted());
        expect(rebaseNames(before, before, other)).toEqual(other);
      }),
    );
  });
});
