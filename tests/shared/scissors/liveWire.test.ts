import { expect, test } from "vitest";
import type { Ring } from "../../../shared/entities/shape";
import { LiveWire, type Place } from "../../../shared/scissors/liveWire";
import type { Pixels } from "../../../shared/wand/pixels";

const GREY = 0xff808080;
const WHITE = 0xffffffff;

/** A grey image with a white disc. */
function disc(width: number, height: number, centre: Place, radius: number): Pixels {
  const colors = new Uint32Array(width * height).fill(GREY);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (Math.hypot(x + 0.5 - centre[0], y + 0.5 - centre[1]) < radius) colors[y * width + x] = WHITE;
  return { width, height, colors };
}

const farthest = (line: Ring, [x, y]: Place, radius: number): number => {
  let most = 0;
  for (let i = 0; i < line.length; i += 2)
    most = Math.max(most, Math.abs(Math.hypot(line[i]! - x, line[i + 1]! - y) - radius));
  return most;
};

test("a line follows the border of a disc instead of the straight way", () => {
  const wire = new LiveWire(disc(200, 200, [100, 100], 60));
  const line = wire.line([100, 40], [160, 100], 0);
  expect(line.slice(0, 2)).toEqual([100, 40]);
  expect(line.slice(-2)).toEqual([160, 100]);
  expect(farthest(line, [100, 100], 60)).toBeLessThan(1.5);
});

test("a far line is found in a smaller image and made exact", () => {
  const wire = new LiveWire(disc(2000, 1500, [1000, 750], 600));
  const line = wire.line([1000, 150], [1600, 750], 0);
  expect(line.length).toBeGreaterThan(1200);
  expect(farthest(line, [1000, 750], 600)).toBeLessThan(1.5);
});

test("the end moves to a border within reach, and no farther", () => {
  const wire = new LiveWire(disc(200, 200, [100, 100], 60));
  const [x, y] = wire.place(100, 45, 8);
  expect(Math.abs(Math.hypot(x - 100, y - 100) - 60)).toBeLessThan(1.5);
  expect(wire.place(100, 45, 2)[1]).toBeGreaterThan(42);
  expect(wire.place(100, 45, 0)).toEqual([100, 45]);
  expect(wire.line([100, 40], [166, 100], 10).at(-2)).toBeLessThan(162);
});

test("lines from one start do not depend on earlier requests", () => {
  const image = disc(300, 300, [150, 150], 90);
  const used = new LiveWire(image);
  for (const to of [
    [240, 150],
    [150, 240],
    [61, 150],
    [10, 290],
  ] as const)
    used.line([150, 60], to, 0);
  expect(used.line([150, 60], [240, 150], 0)).toEqual(new LiveWire(image).line([150, 60], [240, 150], 0));
});

test("every image has lines, however small, and points outside count as the nearest inside", () => {
  for (const [width, height] of [
    [1, 1],
    [1, 300],
    [300, 1],
    [33, 65],
  ] as const) {
    const image = { width, height, colors: new Uint32Array(width * height).fill(GREY) };
    const line = new LiveWire(image).line([-5, -5], [width + 50, height + 50], 6);
    expect(line.slice(0, 2)).toEqual([0, 0]);
    expect(line.every((value, i) => value >= 0 && value <= (i % 2 === 0 ? width : height))).toBe(true);
  }
});
