import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { z } from "zod";
import type { Bitmap } from "./masks/bitmap";

const span = z.tuple([z.int().min(0), z.int().min(1)]);
const length = z.int().min(1).max(20_000);
const item = z.object({
  s: z.string(),
  k: z.string(),
  w: length,
  h: length,
  i: span,
  m: z.array(z.tuple([z.int().min(0), z.int().min(0), length, length, z.int().min(0), z.int().min(1)])),
  g: span.optional(),
});
const index = z.object({ format: z.literal("dextr-pack-1"), items: z.array(item) });

/** An object on a photograph of a pack. NAME.json has the positions of photographs and masks in NAME.bin. */
export interface PackedObject {
  pack: Pack;
  item: z.infer<typeof item>;
  /** Index of the mask. */
  mask: number;
}

interface Pack {
  name: string;
  bytes: Buffer;
}

/** A photograph: red, green, blue, alpha, row by row. */
export interface Photograph {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A decoded object. `ignored` has the pixels that are not labelled. */
export interface Sample {
  photograph: Photograph;
  mask: Bitmap;
  ignored: Bitmap | null;
}

/**
 * Returns the sorted names of the packs in a folder that begin with `split` (by default "test" if there are any, else
 * all); `alone` has those without NAME.bin. Throws if there is no complete pack.
 */
export async function packsIn(folder: string, split?: string): Promise<{ names: string[]; alone: string[] }> {
  const files = await readdir(folder).catch(() => {
    throw new Error(`There is no folder ${folder}.`);
  });
  const all = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
  const begin = split ?? (all.some((name) => name.startsWith("test")) ? "test" : "");
  const [names, alone]: [string[], string[]] = [[], []];
  for (const name of all.filter((each) => each.startsWith(begin)).sort())
    (files.includes(`${name}.bin`) ? names : alone).push(name);
  if (names.length > 0) return { names, alone };
  if (alone.length > 0) throw new Error(`There is no ${alone[0]}.bin beside ${alone[0]}.json in ${folder}.`);
  throw new Error(`There is no pack "${begin}…" in ${folder}.`);
}

/** Returns all objects of a pack. Throws an Error with the pack's name if it is damaged. */
export async function readPack(folder: string, name: string): Promise<PackedObject[]> {
  const broken = (why: string) => new Error(`The pack ${name} is broken: ${why}`);
  const text = await readFile(join(folder, `${name}.json`), "utf8");
  const parsed = index.safeParse(parse(text));
  if (!parsed.success) throw broken(`${name}.json: ${z.prettifyError(parsed.error)}`);
  const pack: Pack = { name, bytes: await readFile(join(folder, `${name}.bin`)) };
  for (const { k, w, h, i, m, g } of parsed.data.items) {
    const spans = [i, ...m.map(([, , , , offset, size]) => [offset, size] as const), ...(g ? [g] : [])];
    if (spans.some(([offset, size]) => offset + size > pack.bytes.length))
      throw broken(`${k} lies beyond the end of ${name}.bin.`);
    if (m.some(([x, y, width, height]) => x + width > w || y + height > h))
      throw broken(`A mask of ${k} lies outside its photograph.`);
  }
  return parsed.data.items.flatMap((entry) => entry.m.map((_, mask) => ({ pack, item: entry, mask })));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Decodes an object, enlarged by `scale`. Throws an Error with the names of the pack and the photograph if it cannot be
 * decoded.
 */
export async function readSample({ pack, item, mask }: PackedObject, scale: number): Promise<Sample> {
  const { w, h, k, i, m, g } = item;
  const [x, y, width, height, offset, size] = m[mask]!;
  const bytesOf = ([start, count]: readonly [number, number]) => pack.bytes.subarray(start, start + count);
  try {
    const part = await decodeBits(bytesOf([offset, size]), width, height);
    return {
      photograph: await decodePhotograph(bytesOf(i), w, h, scale),
      mask: await enlarged(placed(part, x, y, w, h), scale),
      ignored: g ? await enlarged(await decodeBits(bytesOf(g), w, h), scale) : null,
    };
  } catch (error) {
    throw new Error(`The pack ${pack.name} is broken: ${k}: ${error instanceof Error ? error.message : error}`);
  }
}

async function decodePhotograph(bytes: Buffer, width: number, height: number, scale: number): Promise<Photograph> {
  const image = sharp(bytes);
  await checkSize(image, width, height);
  if (scale !== 1) image.resize(sizeOf(width, scale), sizeOf(height, scale), { fit: "fill", kernel: "cubic" });
  const { data, info } = await image.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function decodeBits(bytes: Buffer, width: number, height: number): Promise<Bitmap> {
  const image = sharp(bytes);
  await checkSize(image, width, height);
  return bitmapOf(await image.toColourspace("b-w").extractChannel(0).raw().toBuffer(), width, height);
}

async function checkSize(image: Sharp, width: number, height: number): Promise<void> {
  const found = await image.metadata();
  if (found.width !== width || found.height !== height)
    throw new Error(`${found.width} × ${found.height} pixels in place of ${width} × ${height}.`);
}

function bitmapOf(grey: Buffer, width: number, height: number): Bitmap {
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = grey[i]! >> 7;
  return { width, height, data };
}

/** Returns an empty image with a part at its position. */
function placed(part: Bitmap, left: number, top: number, width: number, height: number): Bitmap {
  const data = new Uint8Array(width * height);
  for (let row = 0; row < part.height; row++) {
    const line = part.data.subarray(row * part.width, (row + 1) * part.width);
    data.set(line, (top + row) * width + left);
  }
  return { width, height, data };
}

async function enlarged({ width, height, data }: Bitmap, scale: number): Promise<Bitmap> {
  if (scale === 1) return { width, height, data };
  const size = { width: sizeOf(width, scale), height: sizeOf(height, scale) };
  const grey = Buffer.from(data.map((bit) => 255 * bit));
  const image = sharp(grey, { raw: { width, height, channels: 1 } }).resize({
    ...size,
    fit: "fill",
    kernel: "cubic",
  });
  return bitmapOf(await image.extractChannel(0).raw().toBuffer(), size.width, size.height);
}

function sizeOf(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}
