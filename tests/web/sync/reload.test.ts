import { afterEach, expect, it, vi } from "vitest";
import { Reload } from "../../../web/sync/reload";
import { eventually } from "../../support/eventually";

afterEach(() => void vi.useRealTimers());

/** Returns an image that is loaded when `answer` is called, and a record of its use. */
function image() {
  const done: string[] = [];
  const waiting: ((scene: string | Error) => void)[] = [];
  const reload = new Reload<string>({
    load: () =>
      new Promise((resolve, reject) => {
        done.push("load");
        waiting.push((scene) => (typeof scene === "string" ? resolve(scene) : reject(scene)));
      }),
    expect: () => void done.push("expect"),
    replace: (scene) => void done.push(scene),
    giveUp: () => void done.push("give up"),
    after: () => void done.push("after"),
  });
  const answer = async (scene: string | Error) => {
    await eventually(() => expect(waiting).toHaveLength(1));
    waiting.shift()?.(scene);
  };
  return { reload, done, answer };
}

it("loads once more if requested during a load, and ignores new requests until the first is done", async () => {
  const { reload, done, answer } = image();
  const [first] = [reload.now(), reload.now()];
  await eventually(() => expect(done).toEqual(["expect", "load"]));
  const second = reload.now();
  expect(done).toEqual(["expect", "load"]);
  await answer("old");
  await answer("new");
  await Promise.all([first, second]);
  expect(done).toEqual(["expect", "load", "old", "expect", "load", "new", "after"]);
});

it("stops waiting if the image cannot be loaded, and retries until it is closed", async () => {
  vi.useFakeTimers();
  const { reload, done, answer } = image();
  const failed = reload.now();
  await answer(new Error("no"));
  await failed;
  expect(done).toEqual(["expect", "load", "give up", "after"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(done.slice(4)).toEqual(["expect", "load"]);
  await answer(new Error("no"));
  await vi.advanceTimersByTimeAsync(1);
  reload.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done.slice(4)).toEqual(["expect", "load", "give up", "after"]);
});
