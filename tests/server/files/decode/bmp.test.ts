import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bmpSize, decodeBmp } from "../../../../server/files/decode/bmp";
import { temporaryFolder } from "../../../support/folders";
import { bmp } from "../../../support/images";

const folder = temporaryFolder();
let files = 0;

function write(bytes: Buffer): string {
  const file = join(folder, `${++files}.bmp`);
  writeFileSync(file, bytes);
  return file;
}

interface Parts {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  /** Blue, green, red, 0 of each colour. */
  palette?: number[][];
  masks?: number[];
  pixels: number[];
}

/** Builds a bitmap with BITMAPINFOHEADER byte by byte. */
function bitmap({ width, height, bits, compression = 0, palette = [], masks = [], pixels }: Parts): string {
  const head = Buffer.alloc(54);
  const more = Buffer.concat([Buffer.from(new Uint32Array(masks).buffer), Buffer.from(palette.flat())]);
  head.write("BM");
  head.writeUInt32LE(54 + more.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(palette.length, 46);
  return write(Buffer.concat([head, more, Buffer.from(pixels)]));
}

const BLACK_RED = [
  [0, 0, 0, 0],
  [0, 0, 255, 0],
];
/** Returns the rows of the image, "#" for red. */
async function drawn(file: string): Promise<string[]> {
  const { data, width, height, channels } = await decodeBmp(file);
  const at = (x: number, y: number) => (data[(y * width + x) * channels] === 255 ? "#" : ".");
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => at(x, y)).join(""));
}

it("reads 1, 4 and 8 bits per pixel, rows from the bottom, padded to four bytes", async () => {
  const size = { width: 3, height: 2, palette: BLACK_RED };
  const want = ["#..", ".##"];
  expect(await drawn(bitmap({ ...size, bits: 1, pixels: [0b01100000, 0, 0, 0, 0b10000000, 0, 0, 0] }))).toEqual(want);
  expect(await drawn(bitmap({ ...size, bits: 4, pixels: [0x01, 0x10, 0, 0, 0x10, 0, 0, 0] }))).toEqual(want);
  expect(await drawn(bitmap({ ...size, bits: 8, pixels: [0, 1, 1, 0, 1, 0, 0, 0] }))).toEqual(want);
});

it("reads rows from the top if the height is negative", async () => {
  const pixels = [1, 0, 0, 0, 0, 1, 1, 0];
  expect(await drawn(bitmap({ width: 3, height: -2, bits: 8, palette: BLACK_RED, pixels }))).toEqual(["#..", ".##"]);
});

it("reads 16 bits in both common layouts, and 32 bits by their masks", async () => {
  const one = async (parts: Omit<Parts, "width" | "height">) =>
    [...(await decodeBmp(bitmap({ width: 1, height: 1, ...parts }))).data].join();
  expect(await one({ bits: 16, pixels: [0x00, 0x7c, 0, 0] })).toBe("255,0,0");
  expect(await one({ bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f], pixels: [0xe0, 0x07, 0, 0] })).toBe(
    "0,255,0",
  );
  expect(await one({ bits: 32, pixels: [1, 2, 3, 0] })).toBe("3,2,1");
  expect(await one({ bits: 32, compression: 3, masks: [0xff, 0xff00, 0xff0000], pixels: [1, 2, 3, 0] })).toBe("1,2,3");
  expect(await one({ bits: 32, compression: 3, masks: [0xff000000, 0xff0000, 0xff00], pixels: [0, 3, 2, 1] })).toBe(
    "1,2,3",
  );
});

it("reads run lengths: runs, single pixels, jumps and line ends", async () => {
  const size = { width: 5, height: 2, palette: BLACK_RED };
  const rle8 = [2, 1, 0, 3, 0, 1, 0, 0, 0, 0, 0, 2, 3, 0, 2, 1, 0, 1];
  expect(await drawn(bitmap({ ...size, bits: 8, compression: 1, pixels: rle8 }))).toEqual(["...##", "##.#."]);
  const rle4 = [5, 0x10, 0, 0, 0, 3, 0x01, 0x10, 0, 1];
  expect(await drawn(bitmap({ ...size, bits: 4, compression: 2, pixels: rle4 }))).toEqual([".##..", "#.#.#"]);
});

it("drops runs that exceed a row, and does not block other work on large images", async () => {
  const runs = (count: number) => Array.from({ length: count }, () => [255, 1]).flat();
  const size = { width: 3, height: 2, bits: 8, compression: 1, palette: BLACK_RED };
  const over = bitmap({ ...size, pixels: [...runs(2), 0, 0, 1, 1, 0, 4, 1, 1, 1, 1, 0, 1] });
  expect(await drawn(over)).toEqual(["###", "###"]);
  const many = bitmap({ ...size, pixels: [...runs(3), 0, 1] });
  const bytes = readFileSync(many);
  writeFileSync(many, Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(8_000_000, 1), bytes.subarray(-2)]));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  expect(await drawn(many)).toEqual(["...", "###"]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

it("reads files that another program wrote", async () => {
  for (const bits of [24, 32] as const) {
    const { data, width, channels } = await decodeBmp(write(await bmp(bits)));
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * channels).subarray(0, 3)];
    expect([bits, at(2, 2), at(37, 2), at(37, 17), at(2, 17)]).toEqual([
      bits,
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
    ]);
  }
});

it("refuses files that end too early or cannot be bitmaps", async () => {
  const size = { width: 5, height: 2, palette: BLACK_RED };
  await expect(bmpSize(bitmap({ ...size, bits: 8, pixels: [0, 0, 0] }))).rejects.toThrow("it is cut off");
  await expect(bmpSize(bitmap({ ...size, bits: 8, compression: 1, pixels: [2, 1] }))).rejects.toThrow("it is cut off");
  await expect(bmpSize(bitmap({ ...size, bits: 7, pixels: [] }))).rejects.toThrow("it is damaged");
  await expect(bmpSize(bitmap({ ...size, bits: 24, compression: 4, pixels: [] }))).rejects.toThrow("it is damaged");
  await expect(bmpSize(write((await bmp()).subarray(0, 30)))).rejects.toThrow("it is cut off");
});
