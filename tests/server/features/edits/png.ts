import sharp from "sharp";

/** A grey picture of this size, as a PNG. */
export async function png(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp({ create: { width, height, channels: 3, background: "#888888" } });
  return new Uint8Array(await picture.png().toBuffer());
}
