// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { filterOf, ViewSettings } from "../../../../web/annotator/preferences/viewSettings";

beforeEach(() => localStorage.clear());

test("an image is shown unchanged by default", () => {
  const settings = new ViewSettings();
  expect(settings.state).toEqual({ brightness: 100, contrast: 100, opacity: 0.6 });
  expect(filterOf(settings.state)).toBe("none");
  expect(settings.isUsual).toBe(true);
});

test("settings are stored in this browser and can be reset", () => {
  new ViewSettings().change({ brightness: 150, opacity: 0.3 });
  const again = new ViewSettings();
  expect(filterOf(again.state)).toBe("brightness(150%) contrast(100%)");
  expect(again.state.opacity).toBe(0.3);
  again.reset();
  expect(new ViewSettings().isUsual).toBe(true);
});

test("values stay within their bounds, and steps have no rounding errors", () => {
  const settings = new ViewSettings();
  settings.change({ brightness: 1000, contrast: -5, opacity: 0 });
  expect(settings.state).toEqual({ brightness: 300, contrast: 20, opacity: 0.05 });
  settings.reset();
  for (let i = 0; i < 3; i++) settings.step("opacity", -1);
  expect(settings.state.opacity).toBe(0.45);
  settings.step("brightness", 1);
  expect(settings.state.brightness).toBe(110);
});

test("unreadable settings are ignored", () => {
  for (const text of ['{"brightness":"bright","contrast":null,"opacity":[]}', "[]", "7", "{", '{"brightness":1e999}']) {
    localStorage.setItem("limn.annotator/view", text);
    expect(new ViewSettings().state.contrast).toBe(100);
    expect(new ViewSettings().state.opacity).toBe(0.6);
    expect(Number.isFinite(new ViewSettings().state.brightness)).toBe(true);
  }
});
