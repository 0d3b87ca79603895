// @vitest-environment jsdom
import { MantineProvider, NumberInput } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTypedText } from "../../../../web/components/forms/useTypedText";

let root: Root;
let committed: string[];

const field = () => document.querySelector("input")!;

function Field({ shown }: { shown: string }) {
  const { text, type, overtaken, onFocus, onBlur, onKeyDown } = useTypedText(shown, (typed) => committed.push(typed));
  const handlers = { onFocus, onBlur, onKeyDown };
  return createElement(NumberInput, {
    value: text,
    description: overtaken,
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

it("names the value of another user that the text would replace, until it is applied", async () => {
  const note = () => document.querySelector(".mantine-InputWrapper-description")?.textContent;
  await type("77");
  expect(note()).toBeUndefined();
  await show("45");
  expect(note()).toBe("45");
  await leave();
  expect(committed).toEqual(["77"]);
  expect(note()).toBeUndefined();
});
