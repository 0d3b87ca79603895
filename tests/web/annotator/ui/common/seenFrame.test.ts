// @vitest-environment jsdom
import { act, createElement, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { View } from "../../../../../web/annotator/canvas/view/view";
import { SeenFrame } from "../../../../../web/annotator/ui/common/SeenFrame";

const errors: unknown[] = [];
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  errors.length = 0;
  vi.spyOn(console, "error").mockImplementation((error) => void errors.push(error));
});
afterEach(() => void vi.restoreAllMocks());

test("the frame follows the view, and causes no error if the view moves while the frame is being removed", async () => {
  const view = new View({ width: 1000, height: 500 });
  view.resize({ width: 500, height: 500 });
  /** Moves the view when this component is removed, which happens after the removal of the frame before it. */
  function Mover() {
    useLayoutEffect(() => () => view.store.setState({ zoom: 9, x: 0, y: 0 }), []);
    return null;
  }
  const place = document.createElement("div");
  const root = createRoot(place, { onUncaughtError: (error) => void errors.push(error) });
  await act(async () =>
    root.render([createElement(SeenFrame, { key: 1, view, scale: 0.1 }), createElement(Mover, { key: 2 })]),
  );
  const frame = place.firstElementChild as HTMLElement;
  await act(async () => view.store.setState({ zoom: 1, x: -100, y: -50 }));
  expect(frame.style.cssText).toBe("left: 10px; top: 5px; width: 50px; height: 45px;");
  await act(async () => root.unmount());
  expect(errors).toEqual([]);
});
