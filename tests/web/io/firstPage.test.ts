import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/**
 * Starts to wait for the first page. Returns functions that note the first page, and that return true once the wait is
 * over.
 */
async function start() {
  const { afterFirstPage, noteFirstPage } = await import("../../../web/io/firstPage");
  let isOver = false;
  void afterFirstPage().then(() => {
    isOver = true;
  });
  return { noteFirstPage, afterFirstPage, isOver: () => isOver };
}

it("resolves once the first page is shown, also for later calls", async () => {
  const { noteFirstPage, afterFirstPage, isOver } = await start();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isOver()).toBe(false);
  noteFirstPage();
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver()).toBe(true);
  await afterFirstPage();
});

it("resolves after ten seconds if the page does not get ready", async () => {
  const { isOver } = await start();
  await vi.advanceTimersByTimeAsync(10_001);
  expect(isOver()).toBe(true);
});
