import { type Pixels, pixelsOf } from "../shared/wand/pixels";

/** Rows that are read at a time, so that the picture never lies in memory three times. */
const STRIP_ROWS = 512;

/** A server that does not answer holds nobody up longer than this, in milliseconds. */
const LONGEST_MS = 60_000;

/**
 * The pixels of a picture of our own server. Throws an Error for people to read where it cannot be fetched or decoded.
 */
export async function readPixels(address: string): Promise<Pixels> {
  const bitmap = await decode(await load(address));
  try {
    return copyOut(bitmap);
  } finally {
    bitmap.close();
  }
}

async function load(address: string): Promise<Blob> {
  const response = await fetch(address, { credentials: "same-origin", signal: AbortSignal.timeout(LONGEST_MS) }).catch(
    () => null,
  );
  if (!response) throw new Error("The picture cannot be reached.");
  if (!response.ok) throw new Error(`The picture cannot be loaded (status ${response.status}).`);
  return response.blob().catch(() => {
    throw new Error("The picture did not arrive whole.");
  });
}

async function decode(blob: Blob): Promise<ImageBitmap> {
  return createImageBitmap(blob, { premultiplyAlpha: "none" }).catch(() => {
    throw new Error("The picture cannot be decoded.");
  });
}

function copyOut(bitmap: ImageBitmap): Pixels {
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, Math.min(height, STRIP_ROWS));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("The picture's pixels cannot be read.");
  context.globalCompositeOperation = "copy";
  const bytes = new Uint8ClampedArray(4 * width * height);
  for (let top = 0; top < height; top += canvas.height) {
    const rows = Math.min(canvas.height, height - top);
    context.drawImage(bitmap, 0, top, width, rows, 0, 0, width, rows);
    bytes.set(context.getImageData(0, 0, width, rows).data, 4 * width * top);
  }
  return pixelsOf(bytes, width, height);
}
