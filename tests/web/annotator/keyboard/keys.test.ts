// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from "vitest";
import { Keys } from "../../../../web/annotator/keyboard/keys";
import { ariaKeys, type Command, Shortcuts, showKeys } from "../../../../web/annotator/keyboard/shortcuts";

let ran: string[] = [];
let keys: Keys | undefined;

const command = (id: string, ...sets: string[][]): Command => ({
  id,
  name: id,
  group: "General",
  keys: sets,
  run: () => ran.push(id),
});

afterEach(() => keys?.remove());

beforeEach(() => {
  ran = [];
  document.body.innerHTML = "<input><button>b</button>";
  const list = [
    command("undo", ["control", "z"]),
    command("redo", ["control", "shift", "z"]),
    command("tool", ["s"]),
    command("help", ["?"]),
    command("new", [" "]),
    { ...command("save", ["control", "s"]), whileTyping: true },
    { ...command("down", ["arrowdown"]), repeats: true },
    { ...command("hide", ["h"]), end: () => void ran.push("show") },
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

test("Alt+S does not run the command of S", () => {
  key("keydown", "Alt", { altKey: true });
  key("keydown", "s", { altKey: true });
  expect(ran).toEqual([]);
});

test("keys of an input method run no command, not even the key that Safari sends after the composition", () => {
  key("keydown", "s", { isComposing: true });
  key("keydown", "s", { keyCode: 229 });
  expect(ran).toEqual([]);
});

test("saving also works in a field, and prevents the browser's own save dialog", () => {
  const field = document.querySelector("input")!;
  const event = new KeyboardEvent("keydown", {
    key: "s",
    code: "KeyS",
    ctrlKey: true,
    bubbles: true,
    cancelable: true,
  });
  field.dispatchEvent(event);
  expect([ran, event.defaultPrevented]).toEqual([["save"], true]);
});

test("Command is Control on macOS, and letters released under it do not stick", () => {
  key("keydown", "Meta", { metaKey: true });
  key("keydown", "z", { metaKey: true });
  key("keyup", "Meta");
  key("keydown", "s");
  expect(ran).toEqual(["undo", "tool"]);
});

test("the keys of Firefox's quick find do not open it, but still type in a field", () => {
  const press = (name: string, target: EventTarget = document.body) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(["'", "/", "x"].map((name) => press(name))).toEqual([true, true, false]);
  expect(press("'", document.querySelector("input")!)).toBe(false);
});

test("keys typed in a field run no command", () => {
  key("keydown", "s", {}, document.querySelector("input")!);
  expect(ran).toEqual([]);
});

test("Space on a focused button presses the button", () => {
  key("keydown", " ", {}, document.querySelector("button")!);
  key("keyup", " ", {}, document.querySelector("button")!);
  expect(ran).toEqual([]);
});

test("Space runs on release, unless it was used to pan the view", () => {
  key("keydown", " ");
  expect(ran).toEqual([]);
  key("keyup", " ");
  expect(ran).toEqual(["new"]);
  key("keydown", " ");
  keys?.use(" ");
  key("keyup", " ");
  expect(ran).toEqual(["new"]);
});

test("Space held down and released after another key does nothing", () => {
  key("keydown", " ");
  key("keydown", "s");
  key("keyup", "s");
  key("keyup", " ");
  expect(ran).toEqual(["tool"]);
});

test("a repeating Space that pans the view stays used", () => {
  key("keydown", " ");
  keys?.use(" ");
  key("keydown", " ", { repeat: true });
  key("keyup", " ");
  expect(ran).toEqual([]);
});

test("a Space pressed in a field and released on the canvas does nothing", () => {
  key("keydown", " ", {}, document.querySelector("input")!);
  key("keyup", " ");
  expect(ran).toEqual([]);
});

test("a key whose release was lost does not block the others", () => {
  key("keydown", "x");
  key("keydown", "s");
  expect(ran).toEqual(["tool"]);
});

test("keys pressed before the previous key is released all run their commands", () => {
  key("keydown", "s");
  key("keydown", "ArrowDown");
  key("keyup", "s");
  key("keyup", "ArrowDown");
  expect(ran).toEqual(["tool", "down"]);
});

test("one command follows another under Command, whose other releases are lost", () => {
  key("keydown", "Meta", { metaKey: true });
  key("keydown", "z", { metaKey: true });
  key("keydown", "s", { metaKey: true });
  key("keydown", "z", { metaKey: true, shiftKey: true });
  expect(ran).toEqual(["undo", "save", "redo"]);
});

test("an event that another part of the page has handled runs no command", () => {
  document.body.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
  key("keydown", "s");
  expect(ran).toEqual([]);
});

test("arrow keys on a focused slider run no command", () => {
  document.body.innerHTML = '<div role="slider" tabindex="0"></div>';
  key("keydown", "ArrowDown", {}, document.querySelector("div")!);
  expect(ran).toEqual([]);
});

test("an open dialog receives all keys", () => {
  document.body.innerHTML = '<div role="dialog" aria-modal="true"><button>b</button></div>';
  key("keydown", "s");
  key("keydown", " ");
  key("keyup", " ");
  expect(ran).toEqual([]);
});

test("the key that closes a dialog belongs to the dialog alone, wherever the focus is", () => {
  document.body.innerHTML = '<div role="dialog" aria-modal="true"></div><main tabindex="0"></main>';
  const close = () => document.querySelector("[role=dialog]")?.remove();
  window.addEventListener("keydown", close, { capture: true, once: true });
  key("keydown", "s", {}, document.querySelector("main")!);
  expect(document.querySelector("[role=dialog]")).toBeNull();
  expect(ran).toEqual([]);
  key("keydown", "s", {}, document.querySelector("main")!);
  expect(ran).toEqual(["tool"]);
});

test("an open popover receives the keys pressed in it, and the page receives all others", () => {
  for (const role of ["dialog", "menu", "listbox"]) {
    document.body.innerHTML = `<div role="${role}"><div role="slider" tabindex="0"></div></div>`;
    key("keydown", "s", {}, document.querySelector("[role=slider]")!);
    key("keydown", " ", {}, document.querySelector("[role=slider]")!);
    key("keyup", " ", {}, document.querySelector("[role=slider]")!);
  }
  document.body.innerHTML = '<button aria-haspopup="menu" aria-expanded="true">b</button>';
  key("keydown", "s", {}, document.querySelector("button")!);
  expect(ran).toEqual([]);
  key("keydown", "s");
  expect(ran).toEqual(["tool"]);
});

test("leaving the window clears the keys that are down", () => {
  key("keydown", "Control", { ctrlKey: true });
  window.dispatchEvent(new Event("blur"));
  expect(keys?.isDown("control")).toBe(false);
  key("keydown", "s");
  expect(ran).toEqual(["tool"]);
});

test("a question mark runs its command whether it is typed with or without Shift", () => {
  key("keydown", "Shift", { shiftKey: true });
  key("keydown", "?", { shiftKey: true });
  expect(ran).toEqual(["help"]);
});

test("holding a key down repeats only repeatable commands", () => {
  key("keydown", "s");
  key("keydown", "s", { repeat: true });
  key("keyup", "s");
  key("keydown", "ArrowDown");
  key("keydown", "ArrowDown", { repeat: true });
  expect(ran).toEqual(["tool", "down", "down"]);
});

test("a command that lasts while its key is held ends at the release, whatever else was pressed", () => {
  key("keydown", "h");
  key("keydown", "h", { repeat: true });
  expect(ran).toEqual(["hide"]);
  key("keydown", "s");
  key("keyup", "s");
  key("keydown", "Shift", { shiftKey: true });
  key("keyup", "H", { code: "Keyh", shiftKey: true });
  expect(ran).toEqual(["hide", "show", "tool"]);
});

test("a command that lasts while its key is held also ends when the window loses the focus, and only once", () => {
  key("keydown", "h");
  window.dispatchEvent(new Event("blur"));
  key("keyup", "h");
  expect(ran).toEqual(["hide", "show"]);
});

test("releasing Alt does not open the browser's menu if it was used with the pointer", () => {
  const released = () => {
    key("keydown", "Alt", { altKey: true });
    keys?.use("alt");
    const event = new KeyboardEvent("keyup", { key: "Alt", code: "KeyAlt", bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(released()).toBe(true);
});

test("keys chosen by the user replace the command's defaults, and win over another command's", () => {
  const list = [command("undo", ["control", "z"]), command("tool", ["s"]), command("other", ["o"])];
  const shortcuts = new Shortcuts(
    () => list,
    () => ({ tool: [], other: [["control", "z"]] }),
  );
  expect(shortcuts.pressed(new Set(["s"]), false)).toBe(false);
  expect(shortcuts.pressed(new Set(["o"]), false)).toBe(false);
  shortcuts.pressed(new Set(["control", "z"]), false);
  expect(ran).toEqual(["other"]);
});

test("keys are described to assistive technology in ARIA's notation", () => {
  expect(ariaKeys([["control", "z"], ["arrowup"], [" "], ["+"]], false)).toBe("Control+Z ArrowUp Space Plus");
  expect(ariaKeys([["control", "shift", "z"]], true)).toBe("Meta+Shift+Z");
  expect(ariaKeys([])).toBeUndefined();
});

test("keys are shown in their usual notation", () => {
  expect(showKeys(["control", "shift", "z"], false)).toBe("Ctrl+Shift+Z");
  expect(showKeys(["control", "z"], true)).toBe("⌘+Z");
  expect(showKeys([" "], false)).toBe("Space");
});
