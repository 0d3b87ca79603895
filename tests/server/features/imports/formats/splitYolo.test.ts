import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { type SplitItem, splitFile } from "../../../../../server/features/imports/formats/splitFile";
import type { ZipText } from "../../../../../server/files/zip/zipTexts";

/** Imitates an uploaded zip with only its texts. */
function uploadOf(files: Record<string, string>) {
  const texts: ZipText[] = Object.entries(files).map(([path, text], i, all) => ({
    path,
    number: i + 1,
    count: all.length,
    read: async () => Buffer.from(text),
    stream: async () => Readable.from([text]),
  }));
  async function* zipTexts(): AsyncGenerator<ZipText> {
    yield* texts;
  }
  return { zipTexts, isZip: async () => true, uploadBytes: async () => 1000, readUpload: () => Readable.from([]) };
}

async function groupsOf(files: Record<string, string>): Promise<SplitItem[][]> {
  const transfers = uploadOf(files) as Parameters<typeof splitFile>[0]["transfers"];
  const { signal } = new AbortController();
  const groups: SplitItem[][] = [];
  for await (const items of splitFile({ transfers, upload: "x", lists: ["annotations"], signal })) groups.push(items);
  return groups;
}

it("passes on a label file of very many lines in small groups, each line once with its number", async () => {
  const lines = 30_000;
  const groups = await groupsOf({
    "data.yaml": "names: [cat]",
    "labels/a.txt": `\r\n${"0 0.5 0.5 0.2 0.2\r\n".repeat(lines - 1)}0 0.5 0.5 0.2 0.2`,
  });
  expect(Math.max(...groups.map((items) => items.length))).toBeLessThan(1000);
  const items = groups.flat();
  expect(items.map(({ index }) => index)).toEqual(Array.from({ length: lines }, (_, i) => i));
  expect(items.at(-1)?.label).toBe(`labels/a.txt line ${lines + 1}`);
  expect(items.every(({ problem }) => problem === undefined)).toBe(true);
});

it("refuses a line that is longer than any outline, and reads the next one", async () => {
  const [items = []] = await groupsOf({
    "data.yaml": "names: [cat]",
    "labels/a.txt": `0${" 0.5".repeat(200_001)}\n0${" ".repeat(6_000_000)}1\n0 0,5 0,5 0,2 0,2\n0 0.5 0.5 0.2 0.2`,
  });
  expect(items.map(({ problem }) => problem)).toEqual([
    "has more values than an outline can have",
    "is longer than an outline can be",
    "has a number with a comma in place of its decimal point",
    undefined,
  ]);
});
