import { expect, test } from "vitest";
import type { AttributeDefinition } from "../../../../shared/entities/attribute";
import {
  addAttribute,
  attributeErrors,
  attributesOf,
  changeAttribute,
  rowsOfAttributes,
} from "../../../../web/components/attributes/attributeRows";

const DEFINED: AttributeDefinition[] = [
  { name: "color", type: "choice", choices: ["red", "green"], required: true, default: "red", key: "y" },
  { name: "age", type: "number", choices: [], required: false, default: 3, key: null },
  { name: "old", type: "flag", choices: [], required: false, default: false, key: null },
];

test("definitions survive the editor unchanged, and an unnamed row is left out", () => {
  expect(attributesOf(addAttribute(rowsOfAttributes(DEFINED)))).toEqual(DEFINED);
});

test("changing the type, or removing the choice that is the default, clears the default", () => {
  const rows = rowsOfAttributes(DEFINED);
  expect(attributesOf(changeAttribute(rows, 1, { choices: ["green"] }))[0]?.default).toBeNull();
  expect(attributesOf(changeAttribute(rows, 2, { type: "text" }))[1]).toMatchObject({ type: "text", default: null });
});

test("rows with a reserved or repeated name, without choices or with another row's key have an error", () => {
  const rows = addAttribute(rowsOfAttributes(DEFINED));
  const errorOf = (part: Parameters<typeof changeAttribute>[2]) =>
    attributeErrors(changeAttribute(rows, 4, part)).get(4);
  expect(errorOf({})).toBeUndefined();
  expect(errorOf({ name: "occluded", choices: ["a"] })).toBe("This name is reserved");
  expect(errorOf({ name: "color", choices: ["a"] })).toBe("Another attribute has this name");
  expect(errorOf({ name: "size" })).toBe("Add at least one choice");
  expect(errorOf({ name: "size", type: "text", key: "Y" })).toBe("Another attribute has this key");
  expect(errorOf({ name: "size", type: "number", default: "x" })).toBe("The default is not a number");
});
