import { afterEach, expect, it, vi } from "vitest";
import { CatchUp } from "../../../web/sync/catchUp";

afterEach(() => void vi.useRealTimers());

const NEVER = { onFocus: () => () => {}, onReconnect: () => () => {} };

it("requests again when notified at the very end of its work", async () => {
  let requested = 0;
  const catchUp: CatchUp = new CatchUp(
    {
      request: async () => ({ revision: ++requested, reload: false, changes: [] }),
      revision: () => 7,
      apply: () => {
        if (requested === 1) queueMicrotask(() => void catchUp.now());
      },
      reload: () => {},
    },
    NEVER,
  );
  await catchUp.now();
  await new Promise((resolve) => setTimeout(resolve));
  expect(requested).toBe(2);
});

it("requests once more, and no more often, for all notifications during a request", async () => {
  let requested = 0;
  const catchUp: CatchUp = new CatchUp(
    {
      request: async () => ({ revision: ++requested, reload: false, changes: [] }),
      revision: () => 7,
      apply: () => {},
      reload: () => {},
    },
    NEVER,
  );
  await Promise.all([catchUp.now(), catchUp.now(), catchUp.now()]);
  expect(requested).toBe(2);
});

it("requests again instead of applying changes that a reload in the meantime may have included", async () => {
  let revision = 7;
  const since: number[] = [];
  const applied: number[] = [];
  const catchUp = new CatchUp(
    {
      request: async (from) => {
        since.push(from);
        revision = 9;
        return { revision: 9, reload: false, changes: [] };
      },
      revision: () => revision,
      apply: () => void applied.push(since.length),
      reload: () => {},
    },
    NEVER,
  );
  await catchUp.now();
  expect([since, applied]).toEqual([[7, 9], [2]]);
});

it("requests at once for a notification during a request that fails", async () => {
  let requested = 0;
  const applied: number[] = [];
  const catchUp: CatchUp = new CatchUp(
    {
      request: async () => {
        if (++requested > 1) return { revision: 9, reload: false, changes: [] };
        await Promise.resolve();
        void catchUp.now();
        throw new Error("The image is not back yet.");
      },
      revision: () => 7,
      apply: (_, revision) => void applied.push(revision),
      reload: () => {},
    },
    NEVER,
  );
  await catchUp.now();
  catchUp.close();
  expect(applied).toEqual([9]);
});

it("requests again at the next notification after a failure, and applies nothing once it is closed", async () => {
  const applied: number[] = [];
  let isDown = true;
  const catchUp = new CatchUp(
    {
      request: async (since) => {
        if (isDown) throw new Error("no");
        return { revision: since + 1, reload: false, changes: [] };
      },
      revision: () => 7,
      apply: (_, revision) => void applied.push(revision),
      reload: () => {},
    },
    NEVER,
  );
  await catchUp.now();
  isDown = false;
  await catchUp.now();
  const late = catchUp.now();
  catchUp.close();
  await late;
  expect(applied).toEqual([8]);
});

it("retries after a failure without a notification, until it is closed", async () => {
  vi.useFakeTimers();
  let requested = 0;
  let isDown = true;
  const applied: number[] = [];
  const catchUp = new CatchUp(
    {
      request: async (since) => {
        requested++;
        if (isDown) throw new Error("no");
        return { revision: since + 1, reload: false, changes: [] };
      },
      revision: () => 7,
      apply: (_, revision) => void applied.push(revision),
      reload: () => {},
    },
    NEVER,
  );
  await catchUp.now();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requested).toBeGreaterThan(1);
  isDown = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(applied).toEqual([8]);
  isDown = true;
  await catchUp.now();
  catchUp.close();
  const before = requested;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requested).toBe(before);
});
