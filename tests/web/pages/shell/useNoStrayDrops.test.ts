// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterAll, expect, it, vi } from "vitest";
import { compiledMessages, readLanguage } from "../../../../scripts/languages/catalogue";
import { i18n } from "../../../../web/languages/i18n";
import { useNoStrayDrops } from "../../../../web/pages/shell/useNoStrayDrops";

afterAll(() => i18n.activate("en"));

it.each(["en", "de"])(
  "a file dropped beside a drop zone does not replace the page, with texts in %s",
  async (language) => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    if (language === "en") i18n.activate("en");
    else i18n.loadAndActivate({ locale: language, messages: compiledMessages(readLanguage("de")) });
    const Page = () => {
      useNoStrayDrops();
      return null;
    };
    const root = createRoot(document.createElement("div"));
    await act(async () => root.render(createElement(Page)));
    const drop = (types: string[]) => {
      const event = Object.assign(new Event("drop", { cancelable: true }), {
        dataTransfer: { types, dropEffect: "copy" },
      });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(drop(["Files"])).toBe(true);
    expect(drop(["text/plain"])).toBe(false);
    await act(async () => root.unmount());
  },
);
