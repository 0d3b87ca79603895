import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CocoFileError, ItemSplitter } from "../../../../shared/coco/items/items";

const LISTS = new Set(["images", "annotations", "categories", "licenses"]);

interface Cut {
  items: [key: string, index: number, value: unknown][];
  values: [key: string, value: unknown][];
}

function cut(file: string | Uint8Array, chunkBytes = 7, maxItemBytes?: number): Cut {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const out: Cut = { items: [], values: [] };
  const splitter = new ItemSplitter(
    LISTS,
    { item: (key, index, value) => out.items.push([key, index, value]), value: (...args) => out.values.push(args) },
    maxItemBytes,
  );
  // One buffer for all chunks, like a reader that reuses its memory.
  const buffer = new Uint8Array(chunkBytes);
  for (let i = 0; i < bytes.length; i += chunkBytes) {
    const part = bytes.subarray(i, i + chunkBytes);
    buffer.set(part);
    splitter.write(buffer.subarray(0, part.length));
  }
  splitter.end();
  return out;
}

function failureOf(file: string | Uint8Array, chunkBytes?: number, maxItemBytes?: number): CocoFileError {
  try {
    cut(file, chunkBytes, maxItemBytes);
  } catch (error) {
    if (error instanceof CocoFileError) return error;
    throw error;
  }
  throw new Error("The file was taken");
}

const official = {
  info: { description: 'Straße "{[ 写真 \\ 😀', year: 2017 },
  licenses: [{ id: 1, url: "http://example.org/?a={}" }],
  images: [{ id: 5, file_name: "a]b}.jpg", width: 3, height: 4 }, { id: 6 }],
  annotations: [
    { id: 1, image_id: 5, segmentation: [[1.5, 2, 3, 4, 5, 6]], bbox: [1, 2, 3, 4], iscrowd: 0 },
    { id: 2, image_id: 5, segmentation: { counts: 'U5\\"]', size: [11, 15] }, iscrowd: 1 },
  ],
  categories: [{ id: 1, name: "\u{1F600}", keypoints: [] }],
};

describe("ItemSplitter", () => {
  it("skips an unrequested value, however large it is", () => {
    const file = new TextEncoder().encode(JSON.stringify({ thumbnails: { a: "x".repeat(200) }, images: [{ id: 1 }] }));
    const items: unknown[] = [];
    const splitter = new ItemSplitter(LISTS, { item: (_key, _index, value) => items.push(value) }, 50);
    for (let i = 0; i < file.length; i += 7) splitter.write(file.subarray(i, i + 7));
    splitter.end();
    expect(items).toEqual([{ id: 1 }]);
  });

  it("splits a file like the official ones, at any chunk border", () => {
    for (const file of [JSON.stringify(official), JSON.stringify(official, null, 2)])
      for (let size = 1; size <= 70; size++) {
        const { items, values } = cut(file, size);
        expect(values).toEqual([["info", official.info]]);
        expect(items).toEqual([
          ["licenses", 0, official.licenses[0]],
          ["images", 0, official.images[0]],
          ["images", 1, official.images[1]],
          ["annotations", 0, official.annotations[0]],
          ["annotations", 1, official.annotations[1]],
          ["categories", 0, official.categories[0]],
        ]);
      }
  });

  it("finds the same values in any JSON object as a parser", () => {
    const key = fc.oneof(
      fc.constantFrom("images", "annotations", "info", "other", "__proto__"),
      fc.string({ unit: "binary" }),
    );
    const value = fc.oneof(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.jsonValue());
    const blank = fc.constantFrom("", " ", "\n", "\t \r\n");
    const entries = fc.array(fc.tuple(key, value, blank), { maxLength: 8 });
    fc.assert(
      fc.property(entries, blank, fc.integer({ min: 1, max: 70 }), fc.boolean(), (list, space, size, mark) => {
        const body = list.map(
          ([name, item, gap]) => `${gap}${JSON.stringify(name)}${gap}:${space}${JSON.stringify(item, null, gap)}`,
        );
        const { items, values } = cut(
          `${mark ? "\ufeff" : ""}${space}{${body.join(`${space},`)}${space}}${space}`,
          size,
        );
        const parsed = list.map(([name, item]) => [name, JSON.parse(JSON.stringify(item))] as const);
        const wanted = parsed.filter(([name, item]) => LISTS.has(name) && Array.isArray(item));
        expect(items.map(([name, , item]) => [name, item])).toEqual(
          wanted.flatMap(([name, item]) => (item as unknown[]).map((element) => [name, element])),
        );
        expect(values).toEqual(parsed.filter(([, item]) => !Array.isArray(item)));
      }),
      { numRuns: 500 },
    );
  });

  it("continues counting when a key repeats, and does not confuse keys within items with top-level ones", () => {
    const { items } = cut('{"images":[1,{"images":[7]}],"x":{"images":[8]},"images":[2]}');
    expect(items).toEqual([
      ["images", 0, 1],
      ["images", 1, { images: [7] }],
      ["images", 2, 2],
    ]);
  });

  it("accepts elements that are not objects", () => {
    expect(cut('{"images":[1.5e3,"a\\"]",null,[2],true]}', 1).items.map(([, , item]) => item)).toEqual([
      1500,
      'a"]',
      null,
      [2],
      true,
    ]);
  });

  it("returns a requested key that is not a list as a value", () => {
    expect(cut('{"images":{"a":1},"annotations":null}').values).toEqual([
      ["images", { a: 1 }],
      ["annotations", null],
    ]);
  });

  it("skips unrequested lists, however large their elements", () => {
    const file = `{"other":[${'"x]\\"",'.repeat(500)}{"a":[{}]}],"images":[1]}`;
    expect(cut(file, 64, 100)).toEqual({ items: [["images", 0, 1]], values: [] });
  });

  it("accepts empty files of all kinds", () => {
    expect(cut("{}")).toEqual({ items: [], values: [] });
    expect(cut('\ufeff {"images" : [ ] } ')).toEqual({ items: [], values: [] });
    expect(failureOf("").message).toContain("empty");
    expect(failureOf(" \n").message).toContain("empty");
  });

  it("refuses every truncated file", () => {
    const bytes = new TextEncoder().encode(JSON.stringify(official));
    for (let length = 1; length < bytes.length; length++) {
      const failure = failureOf(bytes.subarray(0, length), 16);
      expect(failure.offset).toBe(length);
      expect(failure.message).toContain("too early");
    }
  });

  it.each([
    ["[]", 0],
    ["null", 0],
    ["{]", 1],
    ["{,}", 1],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{"a":}', 5],
    ['{"a":1 2}', 7],
    ['{"images":[1,]}', 13],
    ['{"images":[1 2]}', 13],
    ['{"images":[,1]}', 11],
    ['{"images":[{"a":01}]}', 11],
    ['{"images":[{"a":1]]}', 17],
    ['{"images":[{"a" 1}]}', 11],
    ['{"images":[tru]}', 11],
    ['{"images":["\u0001"]}', 11],
    ['{"other":[{]}', 11],
    ['{"a\\x":1}', 1],
    ['{"a":1}}', 7],
    ['{"a":1} x', 8],
    ["{a:1}", 1],
    ["{'a':1}", 1],
  ])("refuses %s and reports the position", (file, offset) => {
    for (const size of [1, 3, 100]) expect(failureOf(file, size).offset).toBe(offset);
  });

  it("refuses bytes that are not UTF-8, and a partial byte order mark", () => {
    const bad = Uint8Array.from([
      ...new TextEncoder().encode('{"images":["'),
      0xc3,
      0x28,
      ...new TextEncoder().encode('"]}'),
    ]);
    expect(failureOf(bad).message).toContain("UTF-8");
    expect(failureOf(Uint8Array.from([0xef, 0xbb, 0x7b, 0x7d])).offset).toBe(2);
    expect(failureOf(Uint8Array.from([0xff, 0xfe, 0x7b, 0x00])).offset).toBe(0);
  });

  it("refuses an item that is too large or nested too deeply, and names it", () => {
    const large = failureOf(`{"images":[1,"${"x".repeat(2000)}"]}`, 64, 1000);
    expect(large.message).toContain('Item 1 of "images"');
    expect(large.offset).toBe(13);
    expect(cut(`{"images":["${"x".repeat(998)}"]}`, 64, 1000).items).toHaveLength(1);
    const nested = (depth: number) =>
      `{"images":[${"[".repeat(depth)}${"]".repeat(depth)}],"other":[${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}]}`;
    expect(cut(nested(32)).items).toHaveLength(1);
    expect(failureOf(nested(33)).message).toContain("deeper");
    expect(failureOf(`{"other":${"[".repeat(100_000)}`).message).toContain("deeper");
  });

  it("returns each element as text, for numbers that a double cannot hold", () => {
    const texts: string[] = [];
    const splitter = new ItemSplitter(LISTS, { item: (_key, _index, _value, text) => texts.push(text) });
    splitter.write(new TextEncoder().encode('{"images":[{"id": 12345678901234567891}, 1.50]}'));
    splitter.end();
    expect(texts).toEqual(['{"id": 12345678901234567891}', "1.50"]);
  });

  it("passes on a handler's own error", () => {
    const splitter = new ItemSplitter(LISTS, {
      item: () => {
        throw new TypeError("no room");
      },
    });
    expect(() => splitter.write(new TextEncoder().encode('{"images":[1]}'))).toThrow(TypeError);
  });
});
