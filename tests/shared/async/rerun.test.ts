import { expect, it } from "vitest";
import { Rerun } from "../../../shared/async/rerun";

const tick = () => new Promise((resolve) => setTimeout(resolve));

/** Returns a counted run that lasts until `end` is called. */
function counted() {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve()));
    });
  return { work, runs: () => ends.length, end: (error?: Error) => ends.at(-1)?.(error) };
}

it("runs at once, and once more for all requests during the run", async () => {
  const { work, runs, end } = counted();
  const rerun = new Rerun(work);
  const first = rerun.request();
  expect(runs()).toBe(1);
  expect(rerun.isRequested).toBe(false);
  const later = [rerun.request(), rerun.request()];
  expect(rerun.isRequested).toBe(true);
  end();
  await tick();
  expect(runs()).toBe(2);
  end();
  await Promise.all([first, ...later]);
  expect(runs()).toBe(2);
});

it("serves a request made at the very moment a run ends", async () => {
  let runs = 0;
  const rerun: Rerun = new Rerun(async () => {
    runs += 1;
    if (runs === 1) queueMicrotask(() => void rerun.request());
  });
  await rerun.request();
  await tick();
  expect(runs).toBe(2);
});

it("with `gathers`, serves all requests of one tick in one run", async () => {
  const { work, runs, end } = counted();
  const rerun = new Rerun(work, { gathers: true });
  const both = [rerun.request(), rerun.request()];
  expect(runs()).toBe(0);
  await tick();
  end();
  await Promise.all(both);
  expect(runs()).toBe(1);
});

it("calls onIdle when nothing more is requested, and may be requested from there", async () => {
  const { work, runs, end } = counted();
  let idle = 0;
  const rerun: Rerun = new Rerun(work, { onIdle: () => ++idle === 1 && void rerun.request() });
  const first = rerun.request();
  void rerun.request();
  end();
  await tick();
  expect(idle).toBe(0);
  end();
  await first;
  expect([idle, runs()]).toEqual([1, 3]);
});

it("drops the requests that a run has served", async () => {
  const { work, runs, end } = counted();
  const rerun = new Rerun(work);
  const first = rerun.request();
  void rerun.request();
  rerun.drop();
  end();
  await first;
  expect(runs()).toBe(1);
});

it("when stopped, starts no further run and does not call onIdle", async () => {
  const { work, runs, end } = counted();
  let idle = 0;
  const rerun = new Rerun(work, { onIdle: () => void idle++ });
  const first = rerun.request();
  rerun.stop();
  await rerun.request();
  end();
  await first;
  expect([idle, runs()]).toEqual([0, 1]);
});

it("does not repeat a run for a request that was made before it was stopped", async () => {
  const { work, runs, end } = counted();
  const rerun = new Rerun(work);
  const first = rerun.request();
  void rerun.request();
  rerun.stop();
  end();
  await first;
  expect(runs()).toBe(1);
});

it("rejects when the work does, and runs again when requested", async () => {
  const { work, runs, end } = counted();
  const rerun = new Rerun(work);
  const first = rerun.request();
  end(new Error("no"));
  await expect(first).rejects.toThrow("no");
  void rerun.request();
  expect(runs()).toBe(2);
  end();
});
