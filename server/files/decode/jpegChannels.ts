import { type FileHandle, open } from "node:fs/promises";

/** Limit on segments before the frame header; no camera or program writes more. */
const MOST_SEGMENTS = 1000;

/**
 * Returns the number of channels of a JPEG from its frame header (ITU-T T.81, B.2.2): 1 for grey, 3 for colour, 4 for
 * CMYK. Undefined if there is no frame header.
 */
export async function jpegChannels(file: string): Promise<number | undefined> {
  const handle = await open(file, "r");
  try {
    let at = 2;
    for (let i = 0; i < MOST_SEGMENTS; i++) {
      const head = await bytesAt(handle, at, 10);
      const marker = head[1] ?? 0;
      if (head.length < 10 || head[0] !== 0xff) return undefined;
      if (isFrame(marker)) return head[9];
      // Any marker may be preceded by fill bytes.
      at += marker === 0xff ? 1 : 2 + head.readUInt16BE(2);
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Returns true for the markers SOF0 to SOF15. DHT, JPG and DAC lie in the same range. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
