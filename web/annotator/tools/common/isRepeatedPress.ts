import type { PointerInput } from "../../canvas/view/pointer";

/**
 * Returns true for the second press of a double click, and for further ones. They begin no shape: the first click has
 * just completed one at this place.
 */
export const isRepeatedPress = ({ clicks }: PointerInput): boolean => clicks > 1;
