import { pipeline, Readable } from "node:stream";
import { crc32, createDeflate } from "node:zlib";

/**
 * A PNG whose pixels are numbers, not colours: 8 bits that index a palette, or 16 bits of grey (PNG third edition,
 * §11.2). sharp cannot write these, since it chooses palettes itself. Rows are painted in bands, so that a large image
 * is never in memory as a whole.
 */
export interface IndexImage {
  width: number;
  height: number;
  /** Colours as #rrggbb by index, at most 256; null for 16 bits of grey. */
  palette: readonly string[] | null;
  /** Paints rows [from, to) into a band of zeros; see `Band`. */
  paint(band: Band, from: number, to: number): void;
}

/** Rows of an image: pixel (x, y) of the band begins at byte `y * stride + 1 + x * bytes`. */
export interface Band {
  pixels: Buffer;
  stride: number;
  /** Bytes per pixel; the high byte comes first. */
  bytes: 1 | 2;
}

const BAND_BYTES = 4_000_000;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export async function* indexPng({ width, height, palette, paint }: IndexImage): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(palette ? [8, 3] : [16, 0], 8);
  yield SIGNATURE;
  yield chunk("IHDR", header);
  if (palette) yield chunk("PLTE", Buffer.from(palette.map((color) => color.slice(1)).join(""), "hex"));
  const packer = createDeflate({ level: 6 });
  // Errors reach the loop below, which reads the packer.
  pipeline(Readable.from(bands(width, height, palette ? 1 : 2, paint)), packer, () => undefined);
  for await (const data of packer) yield chunk("IDAT", data);
  yield chunk("IEND", Buffer.alloc(0));
}

function* bands(width: number, height: number, bytes: 1 | 2, paint: IndexImage["paint"]): Generator<Buffer> {
  const stride = 1 + width * bytes;
  const rows = Math.max(1, Math.floor(BAND_BYTES / stride));
  for (let from = 0; from < height; from += rows) {
    const to = Math.min(height, from + rows);
    const pixels = Buffer.alloc((to - from) * stride);
    paint({ pixels, stride, bytes }, from, to);
    yield pixels;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
