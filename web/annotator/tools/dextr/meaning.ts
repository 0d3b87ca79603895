import type { Rings } from "../../../../shared/entities/shape";
import { ringsContain } from "../../../../shared/geometry/polygons";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { ClickKind } from "./Clicks";

/**
 * Returns the meaning of a press: with Alt, it takes from the outline; outside the outline, it adds; inside, it is a
 * point on the border. Without an outline, every press is a point on the border.
 */
export function meaningOf({ alt }: PointerInput, at: Point, outline: Rings | null): ClickKind {
  if (!outline || outline.length === 0) return "border";
  if (alt) return "remove";
  return ringsContain(outline, at.x, at.y) ? "border" : "add";
}

/** Cursors for the meanings of a press: a cross with a plus or a minus beside it. */
export const CURSORS: Readonly<Record<ClickKind, string>> = {
  border: "crosshair",
  add: signed("M18 22h8M22 18v8"),
  remove: signed("M18 22h8"),
};

function signed(sign: string): string {
  const cross = "M12 3v18M3 12h18";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" fill="none" stroke-linecap="square"><path d="${cross}" stroke="#fff" stroke-width="3"/><path d="${cross}" stroke="#000"/><path d="${sign}" stroke="#fff" stroke-width="5"/><path d="${sign}" stroke="#000" stroke-width="2"/></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}") 12 12, crosshair`;
}
