import type { Piece } from "../../canvas/active/paintingLayer";
import type { PointerInput } from "../../canvas/view/pointer";

/**
 * Returns the operation that a held key asks for, whatever the tool usually does: Alt cuts the drawn area out of the
 * selected annotation, Shift adds it. Null without these keys.
 */
export function heldOperation({ alt, shift }: PointerInput): Piece["operation"] | null {
  if (alt) return "subtract";
  return shift ? "unite" : null;
}
