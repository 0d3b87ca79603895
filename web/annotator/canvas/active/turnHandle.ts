import type { Ring } from "../../../../shared/entities/shape";
import { handleOf } from "../../../../shared/geometry/forms/rotatedBox";

/** Distance of the rotation handle from the side of a box, and the handle's radius, in CSS pixels. */
export const TURN_HANDLE_PX = 28;
const RADIUS_PX = 6;

/**
 * Paints the handle that rotates a box. `to`: canvas pixels per image pixel, and the image's position on the canvas.
 */
export function paintTurnHandle(
  context: CanvasRenderingContext2D,
  box: Ring,
  to: { scale: number; x: number; y: number },
  pixelRatio: number,
): void {
  const handle = handleOf(box, (TURN_HANDLE_PX * pixelRatio) / to.scale);
  const place = ({ x, y }: { x: number; y: number }) => [x * to.scale + to.x, y * to.scale + to.y] as const;
  const line = new Path2D();
  line.moveTo(...place(handle.from));
  line.lineTo(...place(handle.to));
  const circle = new Path2D();
  circle.arc(...place(handle.to), RADIUS_PX * pixelRatio, 0, 2 * Math.PI);
  context.lineWidth = 3 * pixelRatio;
  context.strokeStyle = "#0b1020";
  context.stroke(line);
  context.stroke(circle);
  context.lineWidth = 1.5 * pixelRatio;
  context.strokeStyle = "#ffffff";
  context.stroke(line);
  context.fillStyle = "#ffffff";
  context.fill(circle);
}
