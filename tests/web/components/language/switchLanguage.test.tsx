// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { notifications, notificationsStore } from "@mantine/notifications";
import { isValidElement } from "react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageSelect } from "../../../../web/components/language/LanguageSelect";
import { i18n } from "../../../../web/languages/i18n";
import { needTexts, preferredLanguage } from "../../../../web/languages/language";
import { useLanguage } from "../../../../web/languages/useLanguage";
import { LoginForm } from "../../../../web/pages/auth/LoginForm";
import { eventually } from "../../../support/eventually";
import { makePage, typeInto } from "../../../support/renderedPage";

const { catalogue, loadedParts } = vi.hoisted(() => {
  vi.resetModules();
  /** Resolves or rejects the first part of a catalogue. */
  const release = new Map<string, { resolve: () => void; reject: () => void }>();
  const loadedParts: string[] = [];
  const catalogue = (language: string) => () =>
    new Promise((resolve, reject) => {
      release.set(language, { resolve: () => resolve({ messages: {} }), reject: () => reject(new Error("Offline")) });
    });
  return { catalogue: Object.assign(catalogue, { release }), loadedParts };
});
vi.mock("../../../../web/languages/de/start.po", catalogue("de"));
vi.mock("../../../../web/languages/es/start.po", catalogue("es"));
vi.mock("../../../../web/languages/ja/start.po", catalogue("ja"));
vi.mock("../../../../web/languages/zh/start.po", catalogue("zh"));
vi.mock("../../../../web/languages/zh/pages.po", () => {
  loadedParts.push("zh");
  return { messages: {} };
});
afterAll(() => vi.resetModules());

let page: ReturnType<typeof makePage>;
beforeEach(async () => {
  notifications.clean();
  localStorage.clear();
  page = makePage(() => undefined);
  page.show(<Application />);
  await eventually(() => expect(select()).not.toBeNull());
});
afterEach(() => {
  page.close();
  window.history.replaceState(null, "", "/");
  i18n.activate("en");
});

/** Like the application, renders everything anew in another language. */
function Application() {
  return (
    <MantineProvider env="test" key={useLanguage()}>
      <LoginForm />
      <LanguageSelect />
    </MantineProvider>
  );
}

const select = () => document.querySelector("select");
const username = () => document.querySelector<HTMLInputElement>("form input") ?? expect.unreachable("No field.");
const toasts = () => notificationsStore.getState().notifications;

/** Chooses a language, and returns its catalogue when it is requested. */
async function choose(language: string) {
  const field = select();
  if (!field) throw new Error("There is no choice of the language.");
  field.focus();
  field.value = language;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return eventually(() => catalogue.release.get(language) ?? expect.unreachable("The catalogue was not requested."));
}

/** Presses the button of the toast with this text. */
const press = (text: string) =>
  eventually(() => {
    const toast = toasts()
      .map(({ message }) => message)
      .find(
        (message) =>
          isValidElement<{ message: string; onAct: () => void }>(message) && message.props.message.includes(text),
      );
    return isValidElement<{ onAct: () => void }>(toast) ? toast.props.onAct() : expect.unreachable(`No toast ${text}.`);
  });

it("keeps what is typed while a language loads, and offers the language", async () => {
  const german = await choose("de");
  typeInto(username(), "ada");
  german.resolve();
  await eventually(() => expect(toasts()).toHaveLength(1));
  expect(i18n.locale).toBe("en");
  expect(username().value).toBe("ada");
  expect(preferredLanguage([])).toBe("de");
  await press("Deutsch");
  await eventually(() => expect(i18n.locale).toBe("de"));
  expect(toasts()).toEqual([]);
});

it("shows a language as soon as it is loaded if the user has done nothing else", async () => {
  const spanish = await choose("es");
  spanish.resolve();
  await eventually(() => expect(i18n.locale).toBe("es"));
  expect(toasts()).toEqual([]);
});

it("offers a language on another page, with that page's texts in it, until another one is chosen", async () => {
  const chinese = await choose("zh");
  window.history.replaceState(null, "", "/datasets");
  await needTexts("pages");
  chinese.resolve();
  await eventually(() => expect(toasts()).toHaveLength(1));
  expect(i18n.locale).toBe("en");
  expect(loadedParts).toEqual(["zh"]);
  await choose("es");
  await eventually(() => expect(i18n.locale).toBe("es"));
  expect(toasts()).toEqual([]);
});

it("keeps the language and says so if another one cannot be loaded", async () => {
  await choose("es");
  await eventually(() => expect(i18n.locale).toBe("es"));
  await eventually(() => expect(select()?.value).toBe("es"));
  const japanese = await choose("ja");
  japanese.reject();
  await eventually(() => expect(toasts()).toHaveLength(1));
  expect(i18n.locale).toBe("es");
  expect(preferredLanguage([])).toBe("es");
});
