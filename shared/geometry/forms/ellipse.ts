import type { Ring } from "../../entities/shape";

/** Largest distance of the polygon from the ellipse, in image pixels. */
const TOLERANCE = 0.1;
/** Smallest and largest number of points in a quarter of the ellipse. */
const QUARTER = { least: 4, most: 64 };

/**
 * Returns the ellipse that fills the box between two opposite corners, as a polygon: clockwise on screen from its
 * rightmost point. It is exact to a tenth of a pixel, unless that takes more than 256 points. Its rightmost, bottom,
 * leftmost and top points are included, so that its box is exact.
 */
export function ellipseRing(x0: number, y0: number, x1: number, y1: number): Ring {
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const [rx, ry] = [Math.abs(x1 - x0) / 2, Math.abs(y1 - y0) / 2];
  const half = Math.acos(Math.max(1 - TOLERANCE / Math.max(rx, ry, TOLERANCE), 0));
  const quarter = Math.min(Math.max(Math.ceil(Math.PI / 4 / half), QUARTER.least), QUARTER.most);
  return Array.from({ length: 4 * quarter }, (_, i) => {
    const angle = (i * Math.PI) / 2 / quarter;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  })
    .flat()
    .map((value) => Math.round(value * 1000) / 1000);
}
