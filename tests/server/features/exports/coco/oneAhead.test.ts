import { expect, it } from "vitest";
import { oneAhead } from "../../../../../server/features/exports/coco/oneAhead";

async function* numbers(log: string[], until: number, failsAt?: number): AsyncGenerator<number> {
  try {
    for (let i = 1; i <= until; i++) {
      log.push(`read ${i}`);
      await Promise.resolve();
      if (i === failsAt) throw new Error(`no ${i}`);
      yield i;
    }
  } finally {
    log.push("closed");
  }
}

it("yields all items in order, and requests the next one before the current one is used", async () => {
  const log: string[] = [];
  for await (const item of oneAhead(numbers(log, 3))) log.push(`use ${item}`);
  expect(log).toEqual(["read 1", "read 2", "use 1", "read 3", "use 2", "closed", "use 3"]);
});

it("throws the source's error after the items before it", async () => {
  const log: string[] = [];
  const all = async () => {
    for await (const item of oneAhead(numbers(log, 3, 2))) log.push(`use ${item}`);
  };
  await expect(all()).rejects.toThrow("no 2");
  expect(log).toContain("use 1");
});

it("closes the source when the consumer stops, even if the next item fails", async () => {
  const log: string[] = [];
  for await (const _ of oneAhead(numbers(log, 3, 2))) break;
  expect(log.at(-1)).toBe("closed");
});
