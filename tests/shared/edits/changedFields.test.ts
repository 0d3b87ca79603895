import { expect, it } from "vitest";
import { changedFields } from "../../../shared/edits/changedFields";

it("returns the fields that differ from their initial values", () => {
  const before = { name: "cat", color: "#112233", edges: [[1, 2]], metadata: { a: 1, b: 2 } };
  expect(changedFields(before, { ...before, edges: [[1, 2]], metadata: { b: 2, a: 1 } })).toEqual({});
  expect(changedFields(before, { ...before, name: "", edges: [[2, 1]] })).toEqual({ name: "", edges: [[2, 1]] });
});
