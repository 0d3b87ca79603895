import { expect, test } from "vitest";
import { makeNextTask } from "../../../web/io/nextTask";

/** Returns true if a promise is resolved before the next task. */
async function isAtOnce(promise: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void promise.then(() => {
    isResolved = true;
  });
  for (let i = 0; i < 10; i++) await Promise.resolve();
  return isResolved;
}

test("waits until the next task, or until the page is closed", async () => {
  const page = new EventTarget();
  const nextTask = makeNextTask(page);
  const pause = nextTask();
  expect(await isAtOnce(pause)).toBe(false);
  await pause;
  const other = nextTask();
  page.dispatchEvent(new Event("pagehide"));
  expect(await isAtOnce(other)).toBe(true);
  expect(await isAtOnce(nextTask())).toBe(true);
  page.dispatchEvent(new Event("pageshow"));
  expect(await isAtOnce(nextTask())).toBe(false);
});

test("without a page, the wait ends at once", async () => {
  expect(await isAtOnce(makeNextTask(undefined)())).toBe(true);
});
