import type { Place } from "./useAnchor";

interface Size {
  width: number;
  height: number;
}

/** Distance of the card from its control and from the window's edges, in CSS pixels. */
const GAP = 14;

/**
 * Returns the position of the card: right of its control, else left, else below, else above, always inside the window;
 * at the lower left if there is no control.
 */
export function cardPlace(anchor: Place | undefined, card: Size, window: Size): { left: number; top: number } {
  const within = (at: number, length: number, all: number) => Math.max(GAP, Math.min(at, all - length - GAP));
  if (!anchor)
    return { left: within(72, card.width, window.width), top: within(window.height, card.height, window.height) };
  const right = anchor.left + anchor.width + GAP;
  const left = anchor.left - GAP - card.width;
  const isBeside = right + card.width + GAP <= window.width || left >= GAP;
  if (isBeside) {
    const isRight = right + card.width + GAP <= window.width;
    return { left: isRight ? right : left, top: within(anchor.top, card.height, window.height) };
  }
  const below = anchor.top + anchor.height + GAP;
  const isBelow = below + card.height + GAP <= window.height;
  const top = isBelow ? below : anchor.top - GAP - card.height;
  return { left: within(anchor.left, card.width, window.width), top: within(top, card.height, window.height) };
}
