import { expect, test } from "vitest";
import { ellipseRing } from "../../../../shared/geometry/forms/ellipse";
import { ringBounds, signedArea } from "../../../../shared/geometry/ring";

test.each([
  [10, 20, 50, 40],
  [500, 900, 20, 30],
  [0, 0, 3000, 2000],
  [0, 0, 1, 0.5],
])("the ellipse in (%d, %d, %d, %d) has that box and nearly that area", (x0, y0, x1, y1) => {
  const ring = ellipseRing(x0, y0, x1, y1);
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  expect(ringBounds(ring)).toEqual([Math.min(x0, x1), Math.min(y0, y1), width, height]);
  const area = (Math.PI * width * height) / 4;
  expect(Math.abs(Math.abs(signedArea(ring)) - area)).toBeLessThan(Math.max(0.1 * (width + height), 0.03 * area));
  expect(ring.length).toBeLessThanOrEqual(512);
});
