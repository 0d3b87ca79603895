// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from "vitest";
import { PointerInputs } from "../../../../../web/annotator/canvas/view/pointer";
import { View } from "../../../../../web/annotator/canvas/view/view";

let element: HTMLElement;
let view: View;
let inputs: PointerInputs;
let toolCalls: string[] = [];
let takes = true;
let held = new Set<string>();
let onScreen = { shift: false, alt: false };

beforeEach(() => {
  toolCalls = [];
  takes = true;
  held = new Set();
  onScreen = { shift: false, alt: false };
  element = document.createElement("div");
  element.setPointerCapture = () => undefined;
  document.body.append(element);
  view = new View({ width: 800, height: 600 });
  view.resize({ width: 800, height: 600 });
  view.store.setState({ zoom: 1, x: 0, y: 0 });
  const tell = (what: string) => (input: { image: { x: number; y: number }; shift: boolean; alt: boolean }) => {
    const keys = `${input.shift ? " shift" : ""}${input.alt ? " alt" : ""}`;
    toolCalls.push(`${what} ${input.image.x},${input.image.y}${keys}`);
  };
  inputs = new PointerInputs(
    element,
    view,
    { isDown: (key) => held.has(key), use: () => undefined, onScreen: () => onScreen },
    {
      down: (input) => {
        tell("down")(input);
        return takes;
      },
      click: tell("click"),
      move: tell("move"),
      up: tell("up"),
      leave: () => toolCalls.push("leave"),
      abort: () => toolCalls.push("abort"),
    },
  );
});
afterEach(() => {
  inputs.remove();
  element.remove();
});

type Kind = "mouse" | "pen" | "touch";
let clock = 1000;

function send(type: string, pointerType: Kind, pointerId: number, x: number, y: number, more: MouseEventInit = {}) {
  const event = new PointerEvent(`pointer${type}`, {
    ...{ pointerType, pointerId, clientX: x, clientY: y, bubbles: true, cancelable: true },
    ...more,
  });
  Object.defineProperty(event, "timeStamp", { value: clock });
  element.dispatchEvent(event);
}

test("mouse events go to the tool; a press that the tool ignores pans the view or is a click", () => {
  send("down", "mouse", 1, 10, 10);
  send("move", "mouse", 1, 20, 20);
  send("up", "mouse", 1, 20, 20, { shiftKey: true });
  expect(toolCalls).toEqual(["down 10,10", "move 20,20", "up 20,20 shift"]);
  takes = false;
  toolCalls = [];
  send("down", "mouse", 1, 10, 10);
  send("move", "mouse", 1, 12, 10);
  send("up", "mouse", 1, 12, 10);
  expect(toolCalls).toEqual(["down 10,10", "click 10,10"]);
  send("down", "mouse", 1, 10, 10);
  send("move", "mouse", 1, 60, 40);
  send("up", "mouse", 1, 60, 40);
  expect(view.state).toEqual({ zoom: 1, x: 50, y: 30 });
});

test("a second finger cancels the first finger's gesture, and both pan and zoom", () => {
  send("down", "touch", 1, 100, 100);
  send("down", "touch", 2, 200, 100);
  send("move", "touch", 2, 300, 100);
  send("up", "touch", 1, 100, 100);
  send("up", "touch", 2, 300, 100);
  expect(toolCalls).toEqual(["down 100,100", "abort"]);
  expect(view.state.zoom).toBeCloseTo(2);
});

test("touches are ignored while the pen is down, however many they are", () => {
  send("down", "pen", 1, 10, 10);
  send("down", "touch", 2, 300, 300);
  send("down", "touch", 3, 320, 320);
  send("move", "touch", 2, 350, 350);
  send("move", "pen", 1, 30, 30);
  send("up", "pen", 1, 30, 30);
  send("move", "touch", 3, 400, 400);
  expect(toolCalls).toEqual(["down 10,10", "move 30,30", "up 30,30"]);
  expect(view.state).toEqual({ zoom: 1, x: 0, y: 0 });
});

test("a palm that touches the screen before the pen does not draw", () => {
  send("down", "touch", 2, 300, 300);
  send("move", "touch", 2, 301, 300);
  send("down", "pen", 1, 10, 10);
  send("move", "touch", 2, 340, 300);
  send("up", "touch", 2, 340, 300);
  send("up", "pen", 1, 10, 10);
  expect(toolCalls).toEqual(["down 300,300", "move 301,300", "abort", "down 10,10", "up 10,10"]);
});

test("a finger pans the view shortly after the pen was used, and draws again later", () => {
  send("move", "pen", 1, 10, 10);
  toolCalls = [];
  clock += 400;
  send("down", "touch", 2, 100, 100);
  send("move", "touch", 2, 140, 120);
  send("up", "touch", 2, 140, 120);
  expect(toolCalls).toEqual([]);
  expect(view.state).toMatchObject({ x: 40, y: 20 });
  clock += 400;
  send("down", "touch", 2, 100, 100);
  send("up", "touch", 2, 100, 100);
  expect(toolCalls).toEqual(["down 60,80", "up 60,80"]);
});

test("Shift on the screen counts as Shift", () => {
  onScreen = { shift: true, alt: false };
  send("down", "touch", 1, 10, 10);
  expect(toolCalls).toEqual(["down 10,10 shift"]);
});

test("Alt on the screen counts as Alt", () => {
  onScreen = { shift: false, alt: true };
  send("down", "touch", 1, 10, 10);
  expect(toolCalls).toEqual(["down 10,10 alt"]);
});

test("a press that the browser cancels is reverted", () => {
  send("down", "touch", 1, 10, 10);
  send("cancel", "touch", 1, 10, 10);
  send("down", "touch", 2, 20, 20);
  expect(toolCalls).toEqual(["down 10,10", "abort", "down 20,20"]);
});

test("Ctrl + wheel pans vertically while the key is down; without the key, the event is a trackpad pinch", () => {
  const wheel = (more: WheelEventInit) =>
    element.dispatchEvent(new WheelEvent("wheel", { clientX: 400, clientY: 300, cancelable: true, ...more }));
  held.add("control");
  wheel({ deltaY: 30, ctrlKey: true });
  expect(view.state).toEqual({ zoom: 1, x: 0, y: -30 });
  held.clear();
  wheel({ deltaY: -10, ctrlKey: true });
  const once = view.state.zoom;
  expect(once).toBeGreaterThan(1);
  wheel({ deltaY: 20, ctrlKey: true });
  expect(view.state.zoom).toBeCloseTo(1 / once);
});

test("Safari's pinch on a trackpad zooms by its scale", () => {
  const pinch = (type: string, scale: number) => {
    const event = new MouseEvent(type, { clientX: 400, clientY: 300, cancelable: true });
    element.dispatchEvent(Object.assign(event, { scale }));
    return event.defaultPrevented;
  };
  pinch("gesturestart", 1);
  pinch("gesturechange", 1.5);
  expect(pinch("gesturechange", 2)).toBe(true);
  expect(view.state.zoom).toBeCloseTo(2);
});

test("the eraser end of a pen is a press with Alt", () => {
  send("down", "pen", 1, 10, 10, { button: 5, buttons: 32 });
  send("move", "pen", 1, 20, 20, { button: -1, buttons: 32 });
  send("up", "pen", 1, 20, 20, { button: 5, buttons: 0 });
  expect(toolCalls).toEqual(["down 10,10 alt", "move 20,20 alt", "up 20,20 alt"]);
  send("down", "mouse", 2, 10, 10, { button: 5, buttons: 32 });
  expect(toolCalls).toHaveLength(3);
});

test("the tool learns that the pointer leaves before React's onPointerEnter, and not inside the canvas", () => {
  const row = document.body.appendChild(document.createElement("div"));
  const child = element.appendChild(document.createElement("div"));
  // React calls onPointerEnter when this event reaches the root of the page.
  const noteEnter = () => toolCalls.push("enter row");
  document.body.addEventListener("pointerout", noteEnter);
  const out = (relatedTarget: Node) =>
    element.dispatchEvent(new MouseEvent("pointerout", { bubbles: true, relatedTarget }));
  out(child);
  expect(toolCalls).toEqual(["enter row"]);
  out(row);
  expect(toolCalls).toEqual(["enter row", "leave", "enter row"]);
  document.body.removeEventListener("pointerout", noteEnter);
  row.remove();
});

test("a quick stroke of a finger is not a fling, which would take the click from the next tap", () => {
  const moved = new Event("touchmove", { bubbles: true, cancelable: true });
  element.dispatchEvent(moved);
  expect(moved.defaultPrevented).toBe(true);
});
