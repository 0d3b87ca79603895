import { expect, it } from "vitest";
import { metadataChange, namesChange } from "../../../shared/edits/listChange";

it("a change of a list contains the added and the removed entries", () => {
  expect(namesChange(["cat", "dog"], ["dog", "bird"])).toEqual({ add: ["bird"], remove: ["cat"] });
  expect(namesChange(["cat"], ["cat"])).toEqual({ add: [], remove: [] });
});

it("a change of metadata contains the set values and the removed keys", () => {
  const before = { name: "a", tags: [1, 2], gone: null };
  expect(metadataChange(before, { name: "b", tags: [1, 2], added: 0 })).toEqual({
    set: { name: "b", added: 0 },
    remove: ["gone"],
  });
});
