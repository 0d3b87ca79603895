import { expect, test } from "vitest";
import { luminanceOf } from "../../../shared/color/contrast";
import { randomColor } from "../../../shared/color/randomColor";
import { color } from "../../../shared/entities/scalars";

const always = (...numbers: number[]) => {
  let i = 0;
  return () => numbers[i++ % numbers.length] ?? 0;
};

test("a random colour is valid, and neither nearly black nor nearly white nor grey", () => {
  for (let i = 0; i < 500; i++) {
    const made = randomColor();
    expect(color.parse(made)).toBe(made);
    const channels = [1, 3, 5].map((at) => Number.parseInt(made.slice(at, at + 2), 16) / 255);
    const [low, high] = [Math.min(...channels), Math.max(...channels)];
    expect((low + high) / 2).toBeGreaterThan(0.34);
    expect((low + high) / 2).toBeLessThan(0.71);
    expect(high - low).toBeGreaterThan(0.3);
  }
});

test("hue, saturation and lightness are those of CSS", () => {
  // hsl(0 100% 50%), hsl(120 100% 50%), hsl(240 100% 50%): lightness 0.35 + 0.35 * 3/7, saturation 0.6 + 0.4 * 1
  expect(randomColor(always(0, 1, 3 / 7))).toBe("#ff0000");
  expect(randomColor(always(1 / 3, 1, 3 / 7))).toBe("#00ff00");
  expect(randomColor(always(2 / 3, 1, 3 / 7))).toBe("#0000ff");
});

test("a random colour is visible on dark and on light images, whatever its hue", () => {
  for (let hue = 0; hue < 1; hue += 0.01)
    for (const lightness of [0, 0.5, 0.999])
      for (const saturation of [0, 1]) {
        const luminance = luminanceOf(randomColor(always(hue, saturation, lightness)));
        expect(luminance).toBeGreaterThanOrEqual(0.07);
        expect(luminance).toBeLessThanOrEqual(0.72);
      }
});
