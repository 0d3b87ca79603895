import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { makeFiles } from "../../../../server/files/files";
import type { ImageFiles } from "../../../../server/files/imageFiles";
import { ImageError } from "../../../../server/files/paths/imageError";
import { temporaryFolder } from "../../../support/folders";
import { writeFiles } from "../../../support/images";

const data = temporaryFolder();
const folder = "set";
const SIDE = 8;
const [RED, BLUE] = [0, 1];
let images: ImageFiles;

beforeAll(async () => {
  ({ images } = makeFiles({ DATA_DIR: data, DATASETS_DIR: join(data, "datasets"), MAX_UPLOAD_MB: 100 }));
  await writeFiles(join(data, "datasets"), { [`${folder}/first.txt`]: Buffer.from("makes the folder") });
});

async function put(name: string, bytes: Buffer) {
  writeFileSync(join(data, "datasets", folder, name), bytes);
  return { folder, path: name, ...(await images.probe(folder, name)) };
}

async function pixelsOf(source: Awaited<ReturnType<typeof put>>): Promise<(x: number, y: number) => number[]> {
  const content = await (await images.view(source, { width: 250 }))?.content();
  if (!Buffer.isBuffer(content)) throw new Error("There is no thumbnail.");
  const { data: pixels, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  return (x, y) => [...pixels.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
}

const isNear = (pixel: number[], wanted: number[]) =>
  pixel.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 40);

describe("an image of several frames", () => {
  const whole = (color: number): Frame => ({ left: 0, top: 0, side: SIDE, color });

  it("is shown as its first frame, as in the thumbnail, instead of playing", async () => {
    const animated = await put("animated.gif", gif([whole(RED), whole(BLUE)]));
    expect(await images.isShownAsStored(animated)).toBe(false);
    expect(isNear((await pixelsOf(animated))(3, 3), [255, 0, 0])).toBe(true);
    expect(await images.isShownAsStored(await put("still.gif", gif([whole(BLUE)])))).toBe(true);
  });

  it("is recognized in WebP and PNG too", async () => {
    const frames = await sharp(gif([whole(RED), whole(BLUE)]), { animated: true })
      .webp()
      .toBuffer();
    expect(await images.isShownAsStored(await put("animated.webp", frames))).toBe(false);
    const still = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    expect(await images.isShownAsStored(await put("still.png", still))).toBe(true);
    // The animation's chunk stands between the header and the pixels.
    const control = Buffer.from("\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\xb2\x18\xa1\x9c", "latin1");
    const animated = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
    expect(await images.isShownAsStored(await put("animated.png", animated))).toBe(false);
  });
});

it("the part of a GIF outside its frame is empty in the thumbnail, not black", async () => {
  const pixel = await pixelsOf(await put("offset.gif", gif([{ left: 4, top: 4, side: 4, color: RED }])));
  expect(isNear(pixel(1, 1), [255, 255, 255])).toBe(true);
  expect(isNear(pixel(6, 6), [255, 0, 0])).toBe(true);
});

it("an image that cannot be read is refused with advice", async () => {
  const box = (size: string, type: string) =>
    Buffer.concat([Buffer.from(`${size}${type}`, "latin1"), Buffer.alloc(90)]);
  const files: [name: string, bytes: Buffer, reason: RegExp][] = [
    ["twelve.tif", tiff({ bits: 12, photometric: 1, samples: 1 }), /\(12, for example\): convert it to 8 or 16 bits/],
    ["lab.tif", tiff({ bits: 8, photometric: 8, samples: 3 }), /8-bit L\*a\*b\*.*convert it to RGB/],
    ["phone.heic", box("\0\0\0\x18", "ftypheic\0\0\0\0mif1heic"), /HEIC is not supported: convert it to JPEG/],
    ["new.jxl", box("\0\0\0\x0c", "JXL \r\n\x87\n"), /JPEG XL is not supported: convert it/],
    ["bare.jxl", box("\xff\x0a", ""), /JPEG XL is not supported: convert it/],
    ["scan.jp2", box("\0\0\0\x0c", "jP  \r\n\x87\n"), /JPEG 2000 is not supported: convert it/],
  ];
  for (const [name, bytes, reason] of files) {
    const error = await put(name, bytes).catch((thrown: unknown) => thrown);
    expect(error, name).toBeInstanceOf(ImageError);
    expect((error as ImageError).message, name).toMatch(reason);
  }
});

interface Frame {
  left: number;
  top: number;
  side: number;
  color: number;
}

/** A GIF of SIDE × SIDE pixels with a red and a blue, compressed so that every code is one pixel. */
function gif(frames: readonly Frame[]): Buffer {
  const parts = [Buffer.from(`GIF89a\x08\0\x08\0\xf0\0\0\xff\0\0\0\0\xff`, "latin1")];
  for (const { left, top, side, color } of frames) {
    const codes = [...Array.from({ length: side * side }, () => [4, color]).flat(), 5];
    const bits = codes
      .map((code) => code.toString(2).padStart(3, "0"))
      .reverse()
      .join("");
    const padded = bits.padStart(Math.ceil(bits.length / 8) * 8, "0");
    const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)).reverse();
    parts.push(Buffer.from([0x2c, left, 0, top, 0, side, 0, side, 0, 0, 2, bytes.length, ...bytes, 0]));
  }
  return Buffer.concat([...parts, Buffer.from(";")]);
}

/** An uncompressed TIFF of 16 × 16 black pixels. */
function tiff({ bits, photometric, samples }: { bits: number; photometric: number; samples: number }): Buffer {
  const strip = Buffer.alloc((16 * 16 * samples * bits) / 8);
  const tags: [tag: number, type: 3 | 4, value: number][] = [
    [256, 3, 16],
    [257, 3, 16],
    [259, 3, 1],
    [262, 3, photometric],
    [273, 4, 0],
    [277, 3, samples],
    [278, 3, 16],
    [279, 4, strip.length],
  ];
  const start = 8 + 2 + 12 * (tags.length + 1) + 4;
  const entry = ([tag, type, value]: [number, number, number], count = 1) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    if (type === 3 && count === 1) bytes.writeUInt16LE(value, 8);
    else bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const depths = Buffer.from(Array.from({ length: samples }, () => [bits, 0]).flat());
  const size = entry([258, 3, samples === 1 ? bits : start], samples);
  const entries = tags.map(([tag, type, value]) => entry([tag, type, tag === 273 ? start + depths.length : value]));
  const head = Buffer.from("II*\0\x08\0\0\0", "latin1");
  const count = Buffer.from([tags.length + 1, 0]);
  return Buffer.concat([
    head,
    count,
    ...entries.slice(0, 2),
    size,
    ...entries.slice(2),
    Buffer.alloc(4),
    depths,
    strip,
  ]);
}
