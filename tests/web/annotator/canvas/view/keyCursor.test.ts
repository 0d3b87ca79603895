// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { KeyCursor } from "../../../../../web/annotator/canvas/view/keyCursor";
import type { PointerInput } from "../../../../../web/annotator/canvas/view/pointer";
import { View } from "../../../../../web/annotator/canvas/view/view";

const IMAGE = { width: 400, height: 300 };
let cursor: KeyCursor;
let canvas: HTMLElement;
let view: View;
/** Events that the tool received, without movements of the pointer. */
let seen: string[];
let said: string[];
let usesPresses: boolean;

beforeEach(() => {
  document.body.innerHTML = '<div tabindex="0"></div>';
  canvas = document.querySelector("div")!;
  view = new View(IMAGE);
  view.resize({ width: 800, height: 600 });
  [seen, said, usesPresses] = [[], [], true];
  const note = (what: string, { image, shift, clicks }: PointerInput) =>
    seen.push(`${what} ${image.x},${image.y}${shift ? " shift" : ""}${clicks === 2 ? " double" : ""}`);
  const tool = {
    down: (input: PointerInput) => {
      note("down", input);
      return usesPresses;
    },
    up: (input: PointerInput) => note("up", input),
    click: (input: PointerInput) => note("click", input),
    move: (input: PointerInput) => input.trail && note("drag", input),
    leave: () => undefined,
    abort: () => seen.push("abort"),
  };
  const voice = {
    moved: ({ x, y }: { x: number; y: number }) => said.push(`${x}, ${y}`),
    pressed: () => said.push("pressed"),
  };
  cursor = new KeyCursor(canvas, view, tool, voice, IMAGE, new AbortController().signal);
});

/** Presses a key on the canvas `times` times. Returns false if the cursor does not handle the key. */
function press(key: string, times = 1, more: KeyboardEventInit = {}): boolean {
  let isTaken = false;
  for (let i = 0; i < times; i++) {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
    canvas.dispatchEvent(event);
    isTaken = event.defaultPrevented;
  }
  return isTaken;
}

test("sets corners with Enter, and moves by one pixel with arrow keys, or by ten with Shift", () => {
  cursor.toggle();
  press("Enter");
  press("ArrowRight", 3, { shiftKey: true });
  press("ArrowDown", 25);
  press("Enter");
  expect(seen).toEqual(["down 200,150", "up 200,150", "down 230,175", "up 230,175"]);
  expect(said.slice(-2)).toEqual(["230, 175", "pressed"]);
});

test("clicks where the tool does not use presses; twice at the same place is a double click", () => {
  usesPresses = false;
  cursor.toggle();
  press("Enter");
  press("Enter", 1, { shiftKey: true });
  expect(seen).toEqual(["down 200,150", "click 200,150", "down 200,150 shift double", "click 200,150 shift double"]);
});

test("drags with the arrow keys between two presses of Space", () => {
  cursor.toggle();
  press(" ");
  press("ArrowLeft", 2, { shiftKey: true });
  press(" ");
  expect(seen).toEqual(["down 200,150", "drag 190,150", "drag 180,150", "up 180,150"]);
});

test("stays inside the image and in sight", () => {
  view.zoomTo(8);
  cursor.toggle();
  press("ArrowRight", 100, { shiftKey: true });
  expect(said.at(-1)).toBe("400, 150");
  expect(view.toScreen({ x: 400, y: 150 }).x).toBeLessThanOrEqual(800);
});

test("ignores all keys while it is hidden, and keys that it has no use for", () => {
  expect(press("ArrowRight")).toBe(false);
  cursor.toggle();
  expect([press("ArrowRight"), press("z", 1, { ctrlKey: true }), press("ArrowUp", 1, { ctrlKey: true })]).toEqual([
    true,
    false,
    false,
  ]);
  cursor.toggle();
  expect(press("Enter")).toBe(false);
});

test("ends when the pointer is used", () => {
  cursor.toggle();
  press(" ");
  canvas.dispatchEvent(new Event("pointerdown"));
  expect(seen.at(-1)).toBe("abort");
  expect(press("ArrowRight")).toBe(false);
});

test.each(["Enter", " "])("a held %j presses once, and the canvas keeps its repeats to itself", (key) => {
  cursor.toggle();
  press(key);
  const once = [...seen];
  expect(press(key, 5, { repeat: true })).toBe(true);
  expect(seen).toEqual(once);
});

test("a held arrow key goes on moving the cursor", () => {
  cursor.toggle();
  press("ArrowRight");
  press("ArrowRight", 3, { repeat: true });
  expect(said.at(-1)).toBe("204, 150");
});

test.each([
  ["the cursor has moved there and back", ["ArrowRight", "ArrowLeft"]],
  ["another tool was chosen by its key", ["r"]],
])("a second click at the same place is no double click if %s", (_, keys) => {
  cursor.toggle();
  press("Enter");
  for (const key of keys) press(key);
  press("Enter");
  expect(seen).toEqual(["down 200,150", "up 200,150", "down 200,150", "up 200,150"]);
});
