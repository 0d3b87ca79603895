import { expect, it } from "vitest";
import { SerialQueue } from "../../../shared/async/serialQueue";

const tick = () => new Promise((resolve) => setTimeout(resolve));

/** Returns work that ends on request, and records its start and end. */
function makeWork(noted: string[], name: string) {
  let end: (error?: Error) => void = () => undefined;
  const work = () =>
    new Promise<string>((resolve, reject) => {
      noted.push(`${name} begins`);
      end = (error) => {
        noted.push(`${name} ends`);
        if (error) reject(error);
        else resolve(name);
      };
    });
  return { work, end: (error?: Error) => end(error) };
}

it("runs work one piece at a time in the order in which it was added, and returns each result", async () => {
  const noted: string[] = [];
  const queue = new SerialQueue();
  const [a, b] = [makeWork(noted, "a"), makeWork(noted, "b")];
  const results = [queue.add(a.work), queue.add(b.work)];
  await Promise.resolve();
  expect(noted).toEqual(["a begins"]);
  a.end();
  expect(await results[0]).toBe("a");
  await tick();
  expect(noted).toEqual(["a begins", "a ends", "b begins"]);
  b.end();
  expect(await results[1]).toBe("b");
});

it("continues after a failure, which rejects its own result alone", async () => {
  const queue = new SerialQueue();
  const failed = queue.add(() => Promise.reject(new Error("no")));
  const thrown = queue.add(() => {
    throw new Error("neither");
  });
  const done = queue.add(() => 3);
  await expect(failed).rejects.toThrow("no");
  await expect(thrown).rejects.toThrow("neither");
  expect(await done).toBe(3);
});

it("settles when the work added so far has ended, and not before", async () => {
  const noted: string[] = [];
  const queue = new SerialQueue();
  const a = makeWork(noted, "a");
  const failed = queue.add(a.work).catch(() => "failed");
  const settled = queue.settled().then(() => noted.push("settled"));
  await tick();
  expect(noted).toEqual(["a begins"]);
  a.end(new Error("no"));
  await settled;
  expect(noted).toEqual(["a begins", "a ends", "settled"]);
  expect(await failed).toBe("failed");
});
