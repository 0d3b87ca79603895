import { expect, test } from "vitest";
import type { Ring } from "../../../../../shared/entities/shape";
import { nearestOnOutline } from "../../../../../shared/geometry/ring";
import { traceRing } from "../../../../../web/annotator/canvas/shapes/trace";
import { seededRandom } from "../../../../support/seededRandom";

/** Returns the points of the path that is traced for a ring. */
function traced(ring: Ring, scale = 1, isClosed = true) {
  const points: Ring = [];
  let closed = false;
  const add = (x: number, y: number) => void points.push(x, y);
  const close = () => {
    closed = true;
  };
  const path = { moveTo: add, lineTo: add, closePath: close };
  traceRing(path, ring, { scale, x: 0, y: 0 }, isClosed);
  return { points, closed };
}

const circle = (radius: number, count: number): Ring =>
  Array.from({ length: count }, (_, i) => [
    100 + radius * Math.cos((2 * Math.PI * i) / count),
    100 + radius * Math.sin((2 * Math.PI * i) / count),
  ]).flat();

test("corners stay, and points on a straight line between them are left out", () => {
  const square = [0, 0, 5, 0, 10, 0, 10, 4, 10, 10, 3, 10, 0, 10, 0, 2];
  expect(traced(square)).toEqual({ points: [0, 0, 10, 0, 10, 10, 0, 10, 0, 2], closed: true });
  expect(traced([0, 0, 5, 0], 1, false)).toEqual({ points: [0, 0, 5, 0], closed: false });
  expect(traced([]).points).toEqual([]);
});

test("a line there and back keeps its far end, and so does a spike", () => {
  expect(traced([0, 0, 10, 0, 20, 0, 10, 0]).points).toEqual([0, 0, 20, 0, 10, 0]);
  expect(traced([0, 0, 10, 0, 10, 9, 10.8, 0, 20, 0]).points).toEqual([0, 0, 10, 0, 10, 9, 10.8, 0, 20, 0]);
});

test("a small circle of many points becomes few lines", () => {
  const { points } = traced(circle(24, 60), 0.25);
  expect(points.length / 2).toBeLessThan(20);
  expect(points.length / 2).toBeGreaterThan(8);
});

test("every point lies within a pixel of the path, however jagged the ring is", () => {
  const random = seededRandom(8);
  for (let turn = 0; turn < 40; turn++) {
    const roughness = random() * 6;
    const ring = circle(4 + random() * 60, 3 + Math.floor(random() * 300)).map((v) => v + roughness * (random() - 0.5));
    const { points } = traced(ring);
    expect(points.length).toBeLessThanOrEqual(ring.length);
    for (let i = 0; i < ring.length; i += 2)
      expect(nearestOnOutline(points, ring[i]!, ring[i + 1]!)?.distance).toBeLessThan(0.95);
    // The path has no points of its own.
    for (let i = 0; i < points.length; i += 2) expect(ring).toContain(points[i]);
  }
});
