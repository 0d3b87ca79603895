// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { watchPixelRatio } from "../../../../../web/annotator/canvas/view/pixelRatio";

afterEach(() => vi.unstubAllGlobals());

/** Moves the window to a screen with another ratio: the query about the former ratio no longer holds. */
function screens() {
  const queries = new Map<string, EventTarget>();
  vi.stubGlobal("matchMedia", (query: string) => {
    const made = new EventTarget();
    queries.set(query, made);
    return made;
  });
  return (ratio: number) => {
    const before = window.devicePixelRatio;
    vi.stubGlobal("devicePixelRatio", ratio);
    queries.get(`(resolution: ${before}dppx)`)?.dispatchEvent(new Event("change"));
  };
}

test("notices every change of the pixel ratio until it is stopped", () => {
  const moveTo = screens();
  const seen: number[] = [];
  const listening = new AbortController();
  watchPixelRatio(() => seen.push(window.devicePixelRatio), listening.signal);
  moveTo(2);
  moveTo(1.5);
  expect(seen).toEqual([2, 1.5]);
  listening.abort();
  moveTo(1);
  expect(seen).toEqual([2, 1.5]);
});

test("notices a change that no media query has reported when the pointer next moves", () => {
  screens();
  const seen: number[] = [];
  const listening = new AbortController();
  watchPixelRatio(() => seen.push(window.devicePixelRatio), listening.signal);
  vi.stubGlobal("devicePixelRatio", 3);
  for (let i = 0; i < 2; i++) window.dispatchEvent(new Event("pointermove"));
  expect(seen).toEqual([3]);
  listening.abort();
  vi.stubGlobal("devicePixelRatio", 1);
  window.dispatchEvent(new Event("pointermove"));
  expect(seen).toEqual([3]);
});
