import type { Ring } from "../../shared/entities/shape";
import { LiveWire, type Place } from "../../shared/scissors/liveWire";
import { heldFor } from "../image/heldPixels";

const wireOver = heldFor((pixels) => new LiveWire(pixels));

/**
 * Returns the line x, y, x, y, … along borders between two points of an image; if `from` is null, only the end point.
 * See LiveWire. Throws if the image cannot be loaded; the next call tries again.
 */
export async function followBorder(
  address: string,
  from: Place | null,
  to: Place,
  reach: number,
  detail: number,
): Promise<Ring> {
  const wire = await wireOver(address);
  return from ? wire.line(from, to, reach, detail) : wire.place(...to, reach);
}

/** Preloads the image. Ignores a failure: the next `followBorder` tries again and reports it. */
export async function prepareScissors(address: string): Promise<void> {
  await wireOver(address).catch(() => undefined);
}
