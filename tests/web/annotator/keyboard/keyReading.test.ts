import { expect, test } from "vitest";
import { type KeyPress, readingsOf, sameKeys } from "../../../../web/annotator/keyboard/keyReading";

const press = (key: string, code: string, held: Partial<KeyPress> = {}): string[] =>
  readingsOf({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }).map((keys) =>
    keys.join(" "),
  );

test("a Latin letter is read as the typed character, wherever its key is", () => {
  expect(press("s", "KeyS")).toEqual(["s"]);
  expect(press("a", "KeyQ")).toEqual(["a"]);
  expect(press("S", "KeyS")).toEqual(["s"]);
  expect(press("Z", "KeyZ", { ctrlKey: true, shiftKey: true })).toEqual(["control shift z"]);
  expect(press("z", "KeyZ", { metaKey: true })).toEqual(["control z"]);
});

test("a non-Latin letter is also read as the Latin letter of its physical key", () => {
  expect(press("ы", "KeyS")).toEqual(["ы", "s"]);
  expect(press("я", "KeyZ", { ctrlKey: true })).toEqual(["control я", "control z"]);
  expect(press("σ", "KeyS")).toContain("s");
  expect(press("х", "BracketLeft")).toContain("[");
  expect(press("ü", "BracketLeft")).toEqual(["ü"]);
});

test("symbols are read as the typed character, with whatever modifiers they are typed", () => {
  expect(press("?", "Slash", { shiftKey: true })).toEqual(["?"]);
  expect(press("?", "Minus", { shiftKey: true })).toEqual(["?"]);
  expect(press("[", "Digit5", { altKey: true })[0]).toBe("[");
  const isAltGraph = (name: string) => name === "AltGraph";
  expect(press("[", "Digit8", { altKey: true, ctrlKey: true, getModifierState: isAltGraph })[0]).toBe("[");
});

test("digits are read whether the layout types them with or without Shift", () => {
  expect(press("1", "Digit1")).toEqual(["1"]);
  expect(press("1", "Digit1", { shiftKey: true })).toContain("1");
  expect(press("&", "Digit1")).toContain("1");
  expect(press("1", "Numpad1")).toEqual(["1"]);
  expect(press("!", "Digit1", { shiftKey: true })).toEqual(["!", "shift 1"]);
});

test("modifiers, named keys and dead keys are read", () => {
  expect(press("Meta", "MetaLeft", { metaKey: true })).toEqual(["control"]);
  expect(press("ArrowUp", "ArrowUp", { shiftKey: true })).toEqual(["shift arrowup"]);
  expect(press(" ", "Space")).toEqual([" "]);
  expect(press("Dead", "KeyE", { altKey: true })).toEqual(["alt e"]);
  expect(press("AltGraph", "AltRight")).toEqual([]);
});

test("sets of keys are the same in any order", () => {
  expect(sameKeys(["a", "b"], new Set(["b", "a"]))).toBe(true);
  expect(sameKeys(["a", "b"], ["a"])).toBe(false);
});
