import fc from "fast-check";
import type { Ring } from "../../../shared/entities/shape";

/** Rings for the tests of geometry. */

export const square = (x: number, y: number, side: number): Ring => [
  x,
  y,
  x + side,
  y,
  x + side,
  y + side,
  x,
  y + side,
];

/** Star-shaped rings (simple, any number of points), coordinates with two decimals, clockwise on screen. */
export const star = fc
  .tuple(
    fc.array(fc.double({ min: 5, max: 40, noNaN: true }), { minLength: 3, maxLength: 20 }),
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: 0, max: 60 }),
  )
  .map(([radii, x, y]) =>
    radii.flatMap((radius, i) => {
      const angle = (2 * Math.PI * i) / radii.length;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((value) => Math.round(value * 100) / 100);
    }),
  );
