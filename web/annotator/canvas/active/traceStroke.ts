import { taperedRing } from "../../../../shared/geometry/lines/taper";
import type { Stroke } from "../../../../shared/geometry/stroke";
import type { Transform } from "../shapes/trace";

const TURN = 2 * Math.PI;
/** Maximum deviation of the painted outline from a circle, in device pixels. */
const DEVIATION_PX = 0.25;

/**
 * Begins a path for the part of a stroke that starts at index `from` of its coordinates, joined to the part before it.
 * Returns true if the path must be filled; false if it must be stroked, with the line width that this function sets.
 */
export function traceStroke(
  context: CanvasRenderingContext2D,
  { path, radius, radii }: Stroke,
  { scale, x, y }: Transform,
  from: number,
): boolean {
  const first = Math.max(from - 2, 0);
  const places = path.slice(first).map((value, i) => value * scale + (i % 2 === 0 ? x : y));
  context.beginPath();
  if (radii) {
    const discs = radii
      .slice(first / 2)
      .map((each, i) => ({ x: places[2 * i]!, y: places[2 * i + 1]!, radius: each * scale }));
    const pairs =
      discs.length === 1
        ? [[discs[0]!, discs[0]!] as const]
        : discs.slice(1).map((disc, i) => [discs[i]!, disc] as const);
    for (const [a, b] of pairs) traceRing(context, taperedRing(a, b, DEVIATION_PX));
    return true;
  }
  const [startX = 0, startY = 0] = places;
  const isDot = places.length === 2;
  if (isDot) context.arc(startX, startY, radius * scale, 0, TURN);
  for (let i = 0; i + 1 < places.length; i += 2) context.lineTo(places[i]!, places[i + 1]!);
  context.lineWidth = 2 * radius * scale;
  return isDot;
}

function traceRing(context: CanvasRenderingContext2D, ring: readonly number[]): void {
  for (let i = 0; i + 1 < ring.length; i += 2) {
    if (i === 0) context.moveTo(ring[i]!, ring[i + 1]!);
    else context.lineTo(ring[i]!, ring[i + 1]!);
  }
  context.closePath();
}
