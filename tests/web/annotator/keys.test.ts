// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { Keys } from "../../../web/annotator/keys";
import { type Command, Shortcuts, showKeys } from "../../../web/annotator/shortcuts";

let ran: string[] = [];
let keys: Keys | undefined;

const command = (id: string, ...sets: string[][]): Command => ({
  id,
  name: id,
  group: "General",
  keys: sets,
  run: () => ran.push(id),
});

beforeEach(() => {
  keys?.remove();
  ran = [];
  document.body.innerHTML = "<input><button>b</button>";
  const list = [
    command("undo", ["control", "z"]),
    command("redo", ["control", "shift", "z"]),
    command("tool", ["s"]),
    command("help", ["?"]),
    { ...command("new", [" "]), onRelease: true },
    { ...command("down", ["arrowdown"]), repeats: true },
  ];
  keys = new Keys(new Shortcuts(() => list), window);
});

function key(
  type: "keydown" | "keyup",
  name: string,
  more: KeyboardEventInit = {},
  target: EventTarget = document.body,
) {
  target.dispatchEvent(
    new KeyboardEvent(type, { key: name, code: `Key${name}`, bubbles: true, cancelable: true, ...more }),
  );
}

test("a command runs when exactly its keys are down", () => {
  key("keydown", "Control", { ctrlKey: true });
  key("keydown", "z", { ctrlKey: true });
  expect(ran).toEqual(["undo"]);
  key("keyup", "z", { ctrlKey: true });
  key("keydown", "Shift", { ctrlKey: true, shiftKey: true });
  key("keydown", "Z", { ctrlKey: true, shiftKey: true });
  expect(ran).toEqual(["undo", "redo"]);
});

test("Control and s are not s", () => {
  key("keydown", "Control", { ctrlKey: true });
  key("keydown", "s", { ctrlKey: true });
  expect(ran).toEqual([]);
});

test("Command is Control on macOS, and letters released under it do not stick", () => {
  key("keydown", "Meta", { metaKey: true });
  key("keydown", "z", { metaKey: true });
  key("keyup", "Meta");
  key("keydown", "s");
  expect(ran).toEqual(["undo", "tool"]);
});

test("typing in a field is text", () => {
  key("keydown", "s", {}, document.querySelector("input")!);
  expect(ran).toEqual([]);
});

test("Space on a focused button presses the button", () => {
  key("keydown", " ", {}, document.querySelector("button")!);
  key("keyup", " ", {}, document.querySelector("button")!);
  expect(ran).toEqual([]);
});

test("Space runs on release, unless it was used to move the view", () => {
  key("keydown", " ");
  expect(ran).toEqual([]);
  key("keyup", " ");
  expect(ran).toEqual(["new"]);
  key("keydown", " ");
  keys?.use(" ");
  key("keyup", " ");
  expect(ran).toEqual(["new"]);
});

test("leaving the window forgets the keys that are down", () => {
  key("keydown", "Control", { ctrlKey: true });
  window.dispatchEvent(new Event("blur"));
  expect(keys?.isDown("control")).toBe(false);
  key("keydown", "s");
  expect(ran).toEqual(["tool"]);
});

test("a question mark is one whatever Shift does", () => {
  key("keydown", "Shift", { shiftKey: true });
  key("keydown", "?", { shiftKey: true });
  expect(ran).toEqual(["help"]);
});

test("holding a key down repeats only what may be repeated", () => {
  key("keydown", "s");
  key("keydown", "s", { repeat: true });
  key("keyup", "s");
  key("keydown", "ArrowDown");
  key("keydown", "ArrowDown", { repeat: true });
  expect(ran).toEqual(["tool", "down", "down"]);
});

test("keys are shown as people write them", () => {
  expect(showKeys(["control", "shift", "z"], false)).toBe("Ctrl+Shift+Z");
  expect(showKeys(["control", "z"], true)).toBe("⌘+Z");
  expect(showKeys([" "], false)).toBe("Space");
});
