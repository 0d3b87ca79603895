import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Starts to wait for the first page. Returns a function that notes it, and one that tells if it is over. */
async function start() {
  const { afterFirstPage, noteFirstPage } = await import("../../../web/io/firstPage");
  let isOver = false;
  void afterFirstPage().then(() => {
    isOver = true;
  });
  return { noteFirstPage, afterFirstPage, isOver: () => isOver };
}

it("is over once the first page is shown, also for those that ask later", async () => {
  const { noteFirstPage, afterFirstPage, isOver } = await start();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isOver()).toBe(false);
  noteFirstPage();
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver()).toBe(true);
  await afterFirstPage();
});

it("is over after ten seconds if the page does not get ready", async () => {
  const { isOver } = await start();
  await vi.advanceTimersByTimeAsync(10_001);
  expect(isOver()).toBe(true);
});
