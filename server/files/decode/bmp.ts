import { open, readFile } from "node:fs/promises";
import { setImmediate as pause } from "node:timers/promises";
import { damaged, ImageError } from "../paths/imageError";
import { CUT_OFF, MAX_PIXELS, TOO_LARGE } from "./decoder";

/**
 * Header of a Windows bitmap, which sharp cannot read. Supports BITMAPCOREHEADER to BITMAPV5HEADER, 1 to 32 bits per
 * pixel, bit fields, RLE4 and RLE8. Source: Microsoft, "Bitmap Storage" and "Bitmap Compression" (Windows GDI).
 */
interface Header {
  width: number;
  height: number;
  topDown: boolean;
  bits: number;
  compression: number;
  /** Offset of the pixels in the file, in bytes. */
  offset: number;
  /** Bytes of a row, a multiple of four. */
  stride: number;
  /** Red, green and blue of each palette index. */
  palette: Uint8Array;
  /** Bit masks of red, green, blue and alpha in a pixel of 16 or 32 bits. */
  masks: [number, number, number, number];
}

/** Decoded pixels, row by row from the top: `channels` bytes per pixel, red first. */
export interface RawPixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 3 | 4;
}

const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;
const HEADER_BYTES = 14 + 124 + 1024 + 16;
const PIXELS_PER_SLICE = 1_000_000;

/** Returns width and height in pixels. Throws ImageError if the file is too short for its header. */
export async function bmpSize(file: string): Promise<{ width: number; height: number }> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const header = readHeader(buffer.subarray(0, bytesRead));
    const { size } = await handle.stat();
    if (!isRunLength(header) && size < header.offset + header.stride * header.height) throw new ImageError(CUT_OFF);
    if (isRunLength(header)) await decodeBmp(file);
    return header;
  } finally {
    await handle.close();
  }
}

/** Decodes a bitmap in slices, so that other requests are served in between. */
export async function decodeBmp(file: string): Promise<RawPixels> {
  const bytes = await readFile(file);
  const header = readHeader(bytes);
  const { width, height } = header;
  const source = isRunLength(header) ? await runLengthRows(bytes, header) : storedRows(bytes, header);
  const channels = header.bits === 32 && header.masks[3] !== 0 ? 4 : 3;
  const data = Buffer.alloc(width * height * channels, channels === 3 ? 0 : 255);
  const rowsPerSlice = Math.max(1, Math.floor(PIXELS_PER_SLICE / width));
  for (let y = 0; y < height; y++) {
    writeRow(source(header.topDown ? y : height - 1 - y), header, data, y * width * channels, channels);
    if (y % rowsPerSlice === rowsPerSlice - 1) await pause();
  }
  return { data, width, height, channels };
}

const isRunLength = ({ compression }: Header) => compression === RLE8 || compression === RLE4;

function readHeader(bytes: Buffer): Header {
  try {
    return parseHeader(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new ImageError(CUT_OFF, { cause: error });
    throw error;
  }
}

function parseHeader(bytes: Buffer): Header {
  const headerBytes = bytes.readUInt32LE(14);
  const isCore = headerBytes === 12;
  const width = isCore ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const signedHeight = isCore ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const height = Math.abs(signedHeight);
  const bits = bytes.readUInt16LE(isCore ? 24 : 28);
  const compression = isCore ? RGB : bytes.readUInt32LE(30);
  if (width <= 0 || height <= 0 || !isKnown(bits, compression)) throw damaged();
  if (width * height > MAX_PIXELS) throw new ImageError(TOO_LARGE);
  const masks = readMasks(bytes, headerBytes, bits, compression);
  const masksBehind =
    headerBytes !== 40 ? 0 : compression === BITFIELDS ? 12 : compression === ALPHA_BITFIELDS ? 16 : 0;
  const colours = bits > 8 ? 0 : Math.min(1 << bits, (isCore ? 0 : bytes.readUInt32LE(46)) || 1 << bits);
  return {
    width,
    height,
    topDown: signedHeight < 0,
    bits,
    compression,
    offset: bytes.readUInt32LE(10),
    stride: Math.ceil((width * bits) / 32) * 4,
    palette: readPalette(bytes, 14 + headerBytes + masksBehind, colours, isCore ? 3 : 4),
    masks,
  };
}

function isKnown(bits: number, compression: number): boolean {
  if (compression === RGB) return [1, 4, 8, 16, 24, 32].includes(bits);
  if (compression === RLE8) return bits === 8;
  if (compression === RLE4) return bits === 4;
  return (compression === BITFIELDS || compression === ALPHA_BITFIELDS) && (bits === 16 || bits === 32);
}

/**
 * Returns the masks of the header. Without bit fields, 16-bit pixels have 5 bits per channel, and 32-bit pixels have 8
 * bits per channel and an unused fourth byte.
 */
function readMasks(bytes: Buffer, headerBytes: number, bits: number, compression: number): Header["masks"] {
  if (compression !== BITFIELDS && compression !== ALPHA_BITFIELDS)
    return bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
  const hasAlpha = headerBytes >= 56 || compression === ALPHA_BITFIELDS;
  const alpha = hasAlpha ? bytes.readUInt32LE(66) : 0;
  return [bytes.readUInt32LE(54), bytes.readUInt32LE(58), bytes.readUInt32LE(62), alpha];
}

/** Reads a palette, which the file stores as blue, green, red. Missing colours are black. */
function readPalette(bytes: Buffer, start: number, colours: number, entryBytes: number): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let i = 0; i < colours; i++) {
    const at = start + i * entryBytes;
    palette.set([bytes.readUInt8(at + 2), bytes.readUInt8(at + 1), bytes.readUInt8(at)], i * 3);
  }
  return palette;
}

type Rows = (row: number) => Buffer;

function storedRows(bytes: Buffer, { offset, stride, height }: Header): Rows {
  if (bytes.length < offset + stride * height) throw new ImageError(CUT_OFF);
  return (row) => bytes.subarray(offset + row * stride, offset + (row + 1) * stride);
}

/**
 * Expands runs to one palette index per byte, in slices. Pixels without a run stay 0; the part of a run beyond the end
 * of its row is dropped.
 */
async function runLengthRows(bytes: Buffer, { offset, width, height, compression }: Header): Promise<Rows> {
  const numbers = Buffer.alloc(width * height);
  const nibbles = compression === RLE4;
  let at = offset;
  let x = 0;
  let y = 0;
  let nextPause = PIXELS_PER_SLICE;
  let done = 0;
  const put = (count: number, numberOf: (i: number) => number) => {
    const start = y * width + x;
    const inside = Math.min(count, width - x);
    for (let i = 0; i < inside; i++) numbers[start + i] = numberOf(i);
    x += count;
    done += Math.max(0, inside);
  };
  while (y < height) {
    if (at + 1 >= bytes.length) throw new ImageError(CUT_OFF);
    if (done >= nextPause) {
      await pause();
      nextPause = done + PIXELS_PER_SLICE;
    }
    const count = bytes[at] ?? 0;
    const value = bytes[at + 1] ?? 0;
    at += 2;
    done++;
    if (count > 0) {
      put(count, nibbles ? (i) => (i % 2 === 0 ? value >> 4 : value & 15) : () => value);
    } else if (value === 0) {
      x = 0;
      y++;
    } else if (value === 1) break;
    else if (value === 2) {
      x += bytes[at] ?? 0;
      y += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      const length = nibbles ? Math.ceil(value / 2) : value;
      if (at + length > bytes.length) throw new ImageError(CUT_OFF);
      const from = at;
      put(value, (i) => {
        const byte = bytes[from + (nibbles ? i >> 1 : i)] ?? 0;
        return nibbles ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte;
      });
      at += length + (length % 2);
    }
  }
  return (row) => numbers.subarray(row * width, (row + 1) * width);
}

function writeRow(row: Buffer, header: Header, data: Buffer, start: number, channels: 3 | 4): void {
  if (header.bits === 24) writeTrueColours(row, header.width, data, start);
  else if (header.bits > 8) writeFields(row, header, data, start, channels);
  else writeNumbers(row, header, data, start);
}

/** Writes a row of palette indices, which are packed from the high bits down. */
function writeNumbers(row: Buffer, header: Header, data: Buffer, start: number): void {
  const { width, bits, palette } = header;
  const packed = isRunLength(header) ? 8 : bits;
  const mask = (1 << packed) - 1;
  for (let x = 0, to = start; x < width; x++, to += 3) {
    const bit = x * packed;
    const number = ((row[bit >> 3] ?? 0) >> (8 - packed - (bit & 7))) & mask;
    data[to] = palette[number * 3] ?? 0;
    data[to + 1] = palette[number * 3 + 1] ?? 0;
    data[to + 2] = palette[number * 3 + 2] ?? 0;
  }
}

function writeTrueColours(row: Buffer, width: number, data: Buffer, start: number): void {
  for (let from = 0, to = start; from < width * 3; from += 3, to += 3) {
    data[to] = row[from + 2] ?? 0;
    data[to + 1] = row[from + 1] ?? 0;
    data[to + 2] = row[from] ?? 0;
  }
}

function writeFields(row: Buffer, { width, bits, masks }: Header, data: Buffer, start: number, channels: 3 | 4): void {
  const fields = masks.slice(0, channels).map(fieldOf);
  for (let x = 0, to = start; x < width; x++) {
    const pixel = bits === 16 ? row.readUInt16LE(x * 2) : row.readUInt32LE(x * 4);
    for (const { shift, max } of fields) data[to++] = Math.round((((pixel >>> shift) & max) * 255) / (max || 1));
  }
}

/** Returns shift and maximum of a mask's field. Supports up to 31 bits; no program writes more than 10. */
function fieldOf(mask: number): { shift: number; max: number } {
  if (mask === 0) return { shift: 0, max: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { shift, max: (mask >>> shift) & 0x7fffffff };
}
