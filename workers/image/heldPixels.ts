import type { Pixels } from "../../shared/wand/pixels";
import { readPixels } from "./readPixels";

/**
 * Returns a function that returns the result of `make` for the pixels of an image. Keeps the result for the last image
 * only. A failure is not kept: the next call tries again.
 */
export function heldFor<T>(make: (pixels: Pixels) => T): (address: string) => Promise<T> {
  let held: { address: string; made: Promise<T> } | null = null;
  return (address) => {
    if (held?.address === address) return held.made;
    const made = heldPixels(address).then(make);
    const mine = { address, made };
    held = mine;
    made.catch(() => {
      if (held === mine) held = null;
    });
    return made;
  };
}

/** The pixels of the worker's image, shared by all tools that work on them. */
let pixels: { address: string; loaded: Promise<Pixels> } | null = null;

function heldPixels(address: string): Promise<Pixels> {
  if (pixels?.address === address) return pixels.loaded;
  const mine = { address, loaded: readPixels(address) };
  pixels = mine;
  mine.loaded.catch(() => {
    if (pixels === mine) pixels = null;
  });
  return mine.loaded;
}
