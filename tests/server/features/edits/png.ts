import sharp from "sharp";

/** Returns a grey image of this size, as a PNG. */
export async function greyPng(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height, channels: 3, background: "#888888" } });
  return new Uint8Array(await image.png().toBuffer());
}
