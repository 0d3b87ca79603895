import { open } from "node:fs/promises";
import { decodeFile, decoding } from "./decoder";
import { MIME } from "./imageType";

const SECONDS = 10;
/** Number of bytes at the start of a PNG that include an animation's chunk (acTL), since that precedes the pixels. */
export const PNG_HEAD_BYTES = 65_536;

/** Returns true if browsers would play the file as an animation. The server decodes only the first frame. */
export async function isAnimated(file: string, mime: string): Promise<boolean> {
  if (mime === MIME.png) return isAnimatedPng(await startOf(file, PNG_HEAD_BYTES));
  if (mime !== MIME.gif && mime !== MIME.webp) return false;
  const { pages = 1 } = await decoding(() => decodeFile(file, { failOn: "none", seconds: SECONDS }).metadata());
  return pages > 1;
}

/** Source: PNG third edition, §11.3.6: acTL precedes the first IDAT. */
function isAnimatedPng(head: Buffer): boolean {
  const at = head.indexOf("acTL");
  return at > 0 && at < head.indexOf("IDAT");
}

/** Position and size of a GIF's first frame on its logical screen, in pixels. */
export interface FrameBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Number of bytes at the start of a GIF in which its first frame begins, unless it has very long comments. */
const GIF_HEAD_BYTES = 65_536;
const [EXTENSION, IMAGE] = [0x21, 0x2c];

/** Returns the place of a GIF's first frame; undefined if it is not found. Source: GIF89a specification, 1990. */
export async function firstFrame(file: string): Promise<FrameBox | undefined> {
  const head = await startOf(file, GIF_HEAD_BYTES);
  const flags = head[10] ?? 0;
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (head[at] === EXTENSION) {
    at += 2;
    while (at < head.length && head[at] !== 0) at += 1 + (head[at] ?? 0);
    at += 1;
  }
  if (head[at] !== IMAGE || at + 10 > head.length) return undefined;
  const number = (offset: number) => head.readUInt16LE(at + offset);
  return { left: number(1), top: number(3), width: number(5), height: number(7) };
}

async function startOf(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
