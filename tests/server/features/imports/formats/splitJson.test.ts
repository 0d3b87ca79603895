import { expect, test } from "vitest";
import { splitJson } from "../../../../../server/features/imports/formats/splitJson";

const { signal } = new AbortController();

async function itemsOf(file: string) {
  async function* pieces() {
    const bytes = Buffer.from(file);
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const options = { lists: ["annotations"], signal } as unknown as Parameters<typeof splitJson>[0];
  const items = [];
  for await (const some of splitJson(options, pieces())) items.push(...some);
  return items;
}

const item = (counts: string) => `{"id":1,"segmentation":{"size":[1000,1500],"counts":[${counts}]}}`;
const file = (...items: string[]) => `{"annotations":[${items.join(",")}]}`;
const ones = (count: number) => "1,".repeat(count - 1).concat("1");

test("parses a long element like a short one, in order, without blocking other work", async () => {
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const items = await itemsOf(file(item("1"), item(ones(1_500_000)), item("2,NaN")));
  clearInterval(ticking);
  expect(items.map(({ index, hasNaN }) => [index, hasNaN])).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ]);
  const [short, long] = items.map(({ value }) => value as { id: number; segmentation: { counts: number[] } });
  expect(short?.segmentation.counts).toEqual([1]);
  expect(long?.segmentation.counts).toHaveLength(1_500_000);
  expect(turns).toBeGreaterThan(5);
});

test("refuses a long element of invalid JSON like a short one", async () => {
  await expect(itemsOf(file(item("1"), item(`${ones(400_000)},x`)))).rejects.toThrow(
    'The file cannot be read as COCO: Item 1 of "annotations" is not valid JSON in UTF-8 (byte 74).',
  );
});

test("skips an element with more values than any mask, with the reason", async () => {
  const [only] = await itemsOf(file(item(ones(2_600_000))));
  expect(only).toMatchObject({ index: 0, value: undefined, problem: "has more than 2500000 values" });
});
