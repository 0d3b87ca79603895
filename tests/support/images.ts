import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { encode } from "bmp-ts";
import sharp, { type Sharp } from "sharp";
import { seededRandom } from "./seededRandom";

/** Images for tests. All are 40 wide and 20 high when upright, with a different colour in each quarter (CORNERS). */
export const WIDTH = 40;
export const HEIGHT = 20;

/** Colours of the corners, clockwise from the top left. */
export const CORNERS = ["red", "lime", "blue", "white"] as const;
export type Corner = (typeof CORNERS)[number];
const RGB: Record<Corner, [number, number, number]> = {
  red: [255, 0, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  white: [255, 255, 255],
};

/** Returns the upright image, enlarged by `scale`. */
export const upright = (scale = 1): Sharp => stored(1, scale);

/** Returns the pixels as stored in a file of this orientation. */
function stored(orientation: number, scale: number): Sharp {
  const size = [WIDTH * scale, HEIGHT * scale] as const;
  const [width, height] = orientation < 5 ? size : [size[1], size[0]];
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = shownAt(orientation, column, row, size);
      data.set(RGB[cornerAt(x < size[0] / 2, y < size[1] / 2)], (row * width + column) * 3);
    }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Position at which a stored pixel is shown: EXIF 2.32, tag 0x0112, which defines the sides of row 0 and column 0. */
function shownAt(
  orientation: number,
  column: number,
  row: number,
  [width, height]: readonly [number, number],
): [number, number] {
  const right = width - 1;
  const bottom = height - 1;
  switch (orientation) {
    case 2:
      return [right - column, row];
    case 3:
      return [right - column, bottom - row];
    case 4:
      return [column, bottom - row];
    case 5:
      return [row, column];
    case 6:
      return [right - row, column];
    case 7:
      return [right - row, bottom - column];
    case 8:
      return [row, bottom - column];
    default:
      return [column, row];
  }
}

function cornerAt(isLeft: boolean, isTop: boolean): Corner {
  if (isTop) return isLeft ? "red" : "lime";
  return isLeft ? "white" : "blue";
}

/**
 * Returns a JPEG whose pixels are stored so that a viewer that follows EXIF orientation `orientation` (1 to 8) shows
 * them upright.
 */
export async function jpegWithOrientation(orientation: number, scale = 1): Promise<Buffer> {
  const image = stored(orientation, scale).withMetadata({ orientation });
  return image.jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer();
}

/** Returns the colours at the corners of an encoded image, clockwise from the top left, and its size in pixels. */
export async function readCorners(encoded: Buffer): Promise<{ width: number; height: number; corners: Corner[] }> {
  const { data, info } = await sharp(encoded)
    .flatten()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (x: number, y: number) => nearest(data.subarray((y * width + x) * channels));
  return {
    width,
    height,
    corners: [at(2, 2), at(width - 3, 2), at(width - 3, height - 3), at(2, height - 3)],
  };
}

function nearest(pixel: Buffer): Corner {
  const distance = (corner: Corner) =>
    RGB[corner].reduce((sum, value, i) => sum + Math.abs(value - (pixel[i] ?? 0)), 0);
  return [...CORNERS].sort((a, b) => distance(a) - distance(b))[0] as Corner;
}

/** Intact images of every accepted kind, by file name. */
export async function goodImages(): Promise<Record<string, Buffer>> {
  const plain = await upright().png().toBuffer();
  const again = () => sharp(plain);
  return {
    "plain.jpg": await again().jpeg({ quality: 95 }).toBuffer(),
    "progressive.jpg": await again().jpeg({ quality: 95, progressive: true }).toBuffer(),
    "cmyk.jpg": await again().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(),
    "grey.jpg": await again().greyscale().jpeg().toBuffer(),
    "plain.png": plain,
    "16bit.png": await again().toColourspace("rgb16").png().toBuffer(),
    "palette.png": await again().png({ palette: true }).toBuffer(),
    "grey-alpha.png": await again().greyscale().ensureAlpha(0.5).png().toBuffer(),
    "transparent.png": await again().ensureAlpha(0).png().toBuffer(),
    "plain.gif": await again().gif().toBuffer(),
    "animated.gif": await animatedGif(),
    "plain.webp": await again().webp({ quality: 95 }).toBuffer(),
    "lossless.webp": await again().webp({ lossless: true }).toBuffer(),
    "plain.tiff": await again().tiff({ compression: "lzw" }).toBuffer(),
    "plain.bmp": await bmp(),
    "plain.avif": await again().avif({ quality: 90 }).toBuffer(),
    "png named.jpg": plain,
    "no ending": plain,
  };
}

/** An animation of three frames: the first is the upright image, the others are black. */
async function animatedGif(): Promise<Buffer> {
  const first = await upright().png().toBuffer();
  const black = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "black" } })
    .png()
    .toBuffer();
  return sharp([first, black, black], { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer();
}

export async function bmp(bitPP: 24 | 32 = 24): Promise<Buffer> {
  const rgba = await upright().ensureAlpha().raw().toBuffer();
  const abgr = Buffer.from(rgba);
  for (let i = 0; i < abgr.length; i += 4) abgr.set([rgba[i + 3], rgba[i + 2], rgba[i + 1], rgba[i]] as number[], i);
  return encode({ data: abgr, width: WIDTH, height: HEIGHT, bitPP }).data;
}

/** Files that must be refused, by file name. */
export async function badImages(): Promise<Record<string, Buffer>> {
  const large = await upright(20).png().toBuffer();
  const cut = (whole: Buffer) => whole.subarray(0, Math.floor(whole.length / 2));
  const jpeg = await sharp(large).jpeg().toBuffer();
  const random = seededRandom(1);
  const pixels = Buffer.from(Array.from({ length: 300 * 300 * 3 }, () => 256 * random()));
  const noise = await sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer();
  const cutGif = cut(await sharp(noise).gif().toBuffer());
  return {
    "empty.jpg": Buffer.alloc(0),
    "cut.jpg": cut(await sharp(noise).jpeg().toBuffer()),
    "cut.png": cut(noise),
    "cut.gif": cutGif,
    "cut at a semicolon.gif": Buffer.concat([cutGif, Buffer.from(";")]),
    "cut.webp": cut(await sharp(noise).webp().toBuffer()),
    "cut.tiff": cut(await sharp(noise).tiff({ compression: "none" }).toBuffer()),
    "cut.avif": cut(await sharp(noise).avif({ effort: 0 }).toBuffer()),
    "cut.bmp": cut(await bmp()),
    "header.jpg": jpeg.subarray(0, 20),
    "svg.png": Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    "drawing.svg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'),
    "page.jpg": Buffer.from("<!DOCTYPE html><script>alert(1)</script>"),
    "text.png": Buffer.from("this is no image"),
    "noise.jpg": Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(3000, 0x5a)]),
    "bomb.png": pngHeader(50_000, 50_000),
    "bomb.bmp": bmpHeader(40_000, 40_000),
    "negative.bmp": bmpHeader(-40, 20),
    "nothing.png": pngHeader(0, 0),
  };
}

/** A PNG that consists of its header only, with the given size. */
function pngHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.set([8, 2, 0, 0, 0], 24);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  bytes.write("\0\0\x10\0IDAT", 33, "latin1");
  return bytes;
}

function bmpHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(200);
  bytes.write("BM");
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

/** Writes files below a folder. Names may contain `/`. */
export async function writeFiles(folder: string, files: Record<string, Buffer>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
