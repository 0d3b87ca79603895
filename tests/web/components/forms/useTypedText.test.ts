// @vitest-environment jsdom
import { MantineProvider, NumberInput } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTypedText } from "../../../../web/components/forms/useTypedText";

let root: Root;
let committed: string[];
/** Texts that a field has not applied, if it asks before it replaces another user's value; null if it does not ask. */
let notApplied: string[] | null;

const field = () => document.querySelector("input")!;

function Field({ shown }: { shown: string }) {
  const options = notApplied && { onNotApplied: (typed: string) => notApplied?.push(typed) };
  const commit = (typed: string) => committed.push(typed);
  const { text, type, overtaken, isAsked, onFocus, onBlur, onKeyDown } = useTypedText(shown, commit, options ?? {});
  const handlers = { onFocus, onBlur, onKeyDown };
  return createElement(NumberInput, {
    value: text,
    description: isAsked ? `${overtaken}?` : overtaken,
    onChange: (next) => type(String(next)),
    ...handlers,
  });
}

const show = (shown: string) =>
  act(async () => root.render(createElement(MantineProvider, null, createElement(Field, { shown }))));

async function type(text: string) {
  await act(async () => {
    field().focus();
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
    set.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const press = (key: string) =>
  act(async () => field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
const leave = () => act(async () => field().blur());

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const media = { matches: false, addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("matchMedia", () => media);
  committed = [];
  notApplied = null;
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await show("30");
});
afterEach(() => act(async () => root.unmount()));

it("applies the text when the field loses the focus", async () => {
  await type("77");
  await leave();
  expect(committed).toEqual(["77"]);
});

it("applies the text on Enter", async () => {
  await type("77");
  await press("Enter");
  expect(committed).toEqual(["77"]);
});

it("shows the value again after Escape, which also moves the focus away", async () => {
  await type("77");
  await act(async () => {
    field().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    field().blur();
  });
  expect(field().value).toBe("30");
  expect(committed).toEqual([]);
});

it("keeps what is being typed when another user changes the value", async () => {
  await type("77");
  await show("50");
  expect(field().value).toBe("77");
  await leave();
  expect(committed).toEqual(["77"]);
});

it("shows the value of another user in a field that is only focused", async () => {
  await act(async () => field().focus());
  await show("50");
  expect(field().value).toBe("50");
  await leave();
  expect(committed).toEqual([]);
});

const note = () => document.querySelector(".mantine-InputWrapper-description")?.textContent;

it("names the value of another user that the text would replace, until it is applied", async () => {
  await type("77");
  expect(note()).toBeUndefined();
  await show("45");
  expect(note()).toBe("45");
  await leave();
  expect(committed).toEqual(["77"]);
  expect(note()).toBeUndefined();
});

it("replaces another user's value only after a second Enter, and asks again if it has changed since", async () => {
  notApplied = [];
  await type("77");
  await show("45");
  await press("Enter");
  expect(note()).toBe("45?");
  await show("46");
  expect(note()).toBe("46");
  await press("Enter");
  expect(committed).toEqual([]);
  await press("Enter");
  expect(committed).toEqual(["77"]);
  expect(note()).toBeUndefined();
});

it("keeps a text that would replace another user's value when the focus moves away, until Escape", async () => {
  notApplied = [];
  await type("77");
  await show("45");
  await press("Enter");
  await leave();
  expect(field().value).toBe("77");
  expect(note()).toBe("45?");
  await act(async () => field().focus());
  await press("Escape");
  await leave();
  expect(field().value).toBe("45");
  expect(committed).toEqual([]);
});

it("reports a text that was not applied because the field disappears", async () => {
  notApplied = [];
  await type("77");
  await show("45");
  await leave();
  await act(async () => root.render(createElement("div")));
  expect(notApplied).toEqual(["77"]);
  expect(committed).toEqual([]);
});

it("reports nothing when a field disappears whose text was applied", async () => {
  notApplied = [];
  await type("77");
  await press("Enter");
  await act(async () => root.render(createElement("div")));
  expect(notApplied).toEqual([]);
});
