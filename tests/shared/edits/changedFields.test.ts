import { expect, it } from "vitest";
import { changedFields } from "../../../shared/edits/changedFields";

it("what a form has changed is the fields that are not as they were", () => {
  const before = { name: "cat", color: "#112233", edges: [[1, 2]], metadata: { a: 1, b: 2 } };
  expect(changedFields(before, { ...before, edges: [[1, 2]], metadata: { b: 2, a: 1 } })).toEqual({});
  expect(changedFields(before, { ...before, name: "", edges: [[2, 1]] })).toEqual({ name: "", edges: [[2, 1]] });
});
