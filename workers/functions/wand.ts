import { type PackedRings, packRings } from "../../shared/geometry/packed";
import { MagicWand, type WandOptions } from "../../shared/wand/magicWand";
import { heldFor } from "../image/heldPixels";

const wandOver = heldFor((pixels) => new MagicWand(pixels));

/**
 * Adds the region of similar colour around a point (image pixels) to the regions of the same gesture. Returns the
 * outline of all of them; null if the point is outside the image. `address` is an absolute address on our own server.
 * Throws if the image cannot be loaded; the next call tries again.
 */
export async function growWand(
  address: string,
  gesture: number,
  x: number,
  y: number,
  options: WandOptions,
): Promise<PackedRings | null> {
  const wand = await wandOver(address);
  const outline = wand.grow(gesture, x, y, options);
  return outline && packRings(outline);
}

/** Preloads the image. Ignores a failure: the next `growWand` tries again and reports it. */
export async function prepareWand(address: string): Promise<void> {
  await wandOver(address).catch(() => undefined);
}
