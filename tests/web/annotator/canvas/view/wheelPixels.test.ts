import { expect, test } from "vitest";
import { WheelPixels } from "../../../../../web/annotator/canvas/view/wheelPixels";

const LINES = 1;
const down = (deltaY: number, deltaMode = 0) => ({ deltaX: 0, deltaY, deltaMode });

test("pixel distances of a trackpad or of Chromium's wheel are not changed", () => {
  const wheel = new WheelPixels();
  expect(wheel.of({ deltaX: 3, deltaY: -1.5, deltaMode: 0 })).toEqual({ dx: 3, dy: -1.5 });
  expect(wheel.of(down(100))).toEqual({ dx: 0, dy: 100 });
});

test.each([1, 3, 6])("a notch of %i lines is the step of 100 pixels, in both directions", (lines) => {
  const wheel = new WheelPixels();
  expect(wheel.of(down(lines, LINES))).toEqual({ dx: 0, dy: 100 });
  expect(wheel.of(down(-lines, LINES))).toEqual({ dx: 0, dy: -100 });
});

test("several notches in one event are several steps, once an event with a single notch was seen", () => {
  const wheel = new WheelPixels();
  wheel.of(down(3, LINES));
  expect(wheel.of(down(9, LINES))).toEqual({ dx: 0, dy: 300 });
});

test("an event without a distance moves nothing", () => {
  expect(new WheelPixels().of(down(0, LINES))).toEqual({ dx: 0, dy: 0 });
});
