import type { Ring, Rings } from "../../shared/entities/shape";
import { boxOf } from "../dextr/base/points";
import type { Point } from "../dextr/base/request";
import { arcs } from "../dextr/outline/arcs";

/**
 * Functions that make outlines from four clicks without a network: the box, the quadrilateral, the ellipse in the box,
 * and the arcs. In image pixels.
 */
export const BASELINES: Record<string, (clicks: readonly Point[]) => Rings> = { box, quad, ellipse, arcs };

function box(clicks: readonly Point[]): Rings {
  const { left, top, right, bottom } = boxOf(clicks);
  return [[[left, top, right, top, right, bottom, left, bottom]]];
}

/** Returns the quadrilateral through the clicks in their order. */
function quad(clicks: readonly Point[]): Rings {
  return [[clicks.flatMap(([x, y]) => [x + 0.5, y + 0.5])]];
}

function ellipse(clicks: readonly Point[]): Rings {
  const { left, top, right, bottom } = boxOf(clicks);
  const ring: Ring = [];
  for (let angle = 0; angle < 360; angle += 2) {
    const radians = (angle / 180) * Math.PI;
    ring.push(
      (left + right + (right - left) * Math.cos(radians)) / 2,
      (top + bottom + (bottom - top) * Math.sin(radians)) / 2,
    );
  }
  return [[ring]];
}
