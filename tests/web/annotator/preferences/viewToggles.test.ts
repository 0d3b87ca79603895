// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { ViewToggles } from "../../../../web/annotator/preferences/viewToggles";

beforeEach(() => localStorage.clear());

test("toggles are remembered in this browser", () => {
  const toggles = new ViewToggles();
  expect(toggles.state).toEqual({
    ...{ crosshair: false, pixelGrid: true, outlineOnly: false, names: false },
    ...{ filmStrip: true, miniMap: true, snap: false, numbers: true, keys: false, others: true },
  });
  expect(toggles.toggle("crosshair")).toBe(true);
  expect(toggles.toggle("pixelGrid")).toBe(false);
  expect(new ViewToggles().state).toEqual({ ...toggles.state, crosshair: true, pixelGrid: false });
});

test("unreadable values are ignored", () => {
  localStorage.setItem("limn.annotator/viewToggles", '{"names":"yes","crosshair":true}');
  expect(new ViewToggles().state).toMatchObject({ names: false, crosshair: true });
});
