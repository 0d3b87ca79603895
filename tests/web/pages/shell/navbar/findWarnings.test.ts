// @vitest-environment jsdom
import Dexie from "dexie";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { wipeLocalData } from "../../../../../web/io/logout";
import { findWarnings } from "../../../../../web/pages/shell/navbar/findWarnings";
import { syncOf } from "../../../../../web/sync/currentSync";

const owner = { userId: 31, username: "user31", installation: "7d8aa9a8-6f5b-4b5c-9d58-6d2f5f0a3c11" };
const UNKNOWN = "This browser's storage does not respond. Changes that are not on the server yet may be lost.";

beforeEach(() => {
  vi.spyOn(indexedDB, "databases").mockReturnValue(new Promise(() => undefined));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Returns the result of work, in any case after its time limits. The clock stands still while a database is being
 * deleted, which takes longer on a busy machine.
 */
async function afterLimits<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const deletions = vi.spyOn(Dexie.prototype, "delete");
  let isEnded = false;
  try {
    const result = work().finally(() => {
      isEnded = true;
    });
    result.catch(() => undefined);
    while (!isEnded) {
      await Promise.allSettled(deletions.mock.results.map(({ value }) => value));
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(1_000);
    }
    return await result;
  } finally {
    deletions.mockRestore();
    vi.useRealTimers();
  }
}

it("a logout asks if the browser never lists its databases", async () => {
  expect(await afterLimits(() => findWarnings(owner))).toEqual([UNKNOWN]);
});

it("a logout asks once, and ends, if the browser never lists its databases after an image was open", async () => {
  syncOf(owner);
  expect(await afterLimits(() => findWarnings(owner))).toEqual([UNKNOWN]);
  expect(await afterLimits(() => wipeLocalData(owner.username).then(() => "wiped"))).toBe("wiped");
});

it("a logout asks nothing if the browser has no journal", async () => {
  vi.restoreAllMocks();
  expect(await findWarnings({ ...owner, userId: 32, username: "user32" })).toEqual([]);
});
