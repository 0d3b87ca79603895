import type { PointerInput } from "../../canvas/view/pointer";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 4;

/** Returns true if the pointer has moved far enough since the press to count as a drag rather than a click. */
export function isDrag({ screen }: PointerInput, { screen: start }: PointerInput): boolean {
  return Math.hypot(screen.x - start.x, screen.y - start.y) >= CLICK_PX;
}

/**
 * Returns true for the second press of a double click, and for further ones. They begin no shape: the first click has
 * just completed one at this place.
 */
export const isRepeatedPress = ({ clicks }: PointerInput): boolean => clicks > 1;
