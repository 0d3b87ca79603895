import { expect, it } from "vitest";
import { metadataChange, namesChange } from "../../../shared/edits/listChange";

it("a change of a list is what was added and what was removed", () => {
  expect(namesChange(["cat", "dog"], ["dog", "bird"])).toEqual({ add: ["bird"], remove: ["cat"] });
  expect(namesChange(["cat"], ["cat"])).toEqual({ add: [], remove: [] });
});

it("a change of metadata is what was set and which keys were removed", () => {
  const before = { name: "a", tags: [1, 2], gone: null };
  expect(metadataChange(before, { name: "b", tags: [1, 2], added: 0 })).toEqual({
    set: { name: "b", added: 0 },
    remove: ["gone"],
  });
});
