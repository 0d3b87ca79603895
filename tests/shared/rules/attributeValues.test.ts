import { expect, test } from "vitest";
import { type AttributeDefinition, attributeDefinitions } from "../../../shared/entities/attribute";
import {
  defaultAttributes,
  isMissing,
  missingAttributes,
  movedInto,
  nextValue,
  undefinedNames,
} from "../../../shared/rules/attributeValues";

const define = (name: string, part: Partial<AttributeDefinition> = {}): AttributeDefinition => ({
  ...{ name, type: "choice", choices: ["red", "green"], required: false, default: null, key: null },
  ...part,
});

test("a new annotation gets the defaults", () => {
  const definitions = [
    define("color", { default: "green" }),
    define("size"),
    define("old", { type: "flag", default: false }),
  ];
  expect(defaultAttributes(definitions)).toEqual({ color: "green", old: false });
});

test("an annotation that moves into a category keeps its values and gets the defaults that it lacks", () => {
  const category = { id: 4, attributes: [define("color", { default: "green" }), define("size", { default: "red" })] };
  expect(movedInto({ attributes: { color: "blue", note: "x" } }, category)).toEqual({
    category_id: 4,
    attributes: { color: "blue", note: "x", size: "red" },
  });
});

test("a required value is missing if it is absent, empty, or not allowed any more", () => {
  const color = define("color", { required: true });
  expect(isMissing(color, {})).toBe(true);
  expect(isMissing(color, { color: "blue" })).toBe(true);
  expect(isMissing(color, { color: "red" })).toBe(false);
  expect(isMissing(define("note", { type: "text", required: true }), { note: "" })).toBe(true);
  expect(missingAttributes([color, define("size")], {})).toEqual([color]);
});

test("a key toggles a flag and steps through choices; a required choice starts over after the last", () => {
  const flag = define("old", { type: "flag" });
  expect([nextValue(flag, undefined), nextValue(flag, true), nextValue(flag, false)]).toEqual([true, false, true]);
  const color = define("color");
  expect([undefined, "red", "green"].map((now) => nextValue(color, now))).toEqual(["red", "green", undefined]);
  expect(nextValue({ ...color, required: true }, "green")).toBe("red");
});

test("returns the names of values without a definition, apart from those that all annotations may have", () => {
  expect(undefinedNames([define("color")], { color: "red", size: 3, occluded: true }, ["occluded"])).toEqual(["size"]);
});

test("definitions with the same name twice, or the name of a common flag, are invalid", () => {
  const isValid = (list: AttributeDefinition[]) => attributeDefinitions.safeParse(list).success;
  expect(isValid([define("color"), define("size")])).toBe(true);
  expect(isValid([define("color"), define("color")])).toBe(false);
  expect(isValid([define("occluded")])).toBe(false);
});
