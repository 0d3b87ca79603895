import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { PALETTES } from "../../../../../shared/color/palettes";
import { READABLE_PALETTE } from "../../../../../shared/color/readable";
import { SHADES, shadeOf } from "../../../../../shared/color/shade";
import { CASING, restingLines } from "../../../../../web/annotator/canvas/shapes/paint";
import { fillAlpha } from "../../../../../web/annotator/preferences/viewSettings";
import { differenceOf, over, type Rgb, rgbOf, withDeuteranopia } from "../../../../support/colorVision";
import { loadPhotographs } from "../../../../support/photographs";

/**
 * Colours of parts of photographs (COCO val2017), as dark, middle and bright tones after shrinking the part to an
 * eighth: snow of 785 and 5529, the dark of 4395 and 56344, leaves of 158227 and grass of 10764, water of 2261, 55299
 * and 1490.
 */
const GROUNDS = {
  snow: ["#bcbdbb", "#d0cecd", "#d3d2d0", "#d7d8db", "#dddce0", "#e0e0e2"],
  night: ["#000000", "#040903", "#39281b", "#5c442e"],
  foliage: ["#383b30", "#497029", "#64923d", "#2a5325", "#336134", "#477240"],
  water: ["#5e874f", "#709675", "#c8d1c4", "#30291f", "#4d473c", "#667e7e", "#6a6a6a", "#7c7c7c", "#8e8e8e"],
};

/** Opacity of CASING. */
const CASING_ALPHA = 0.7;
const CASING_COLOR: Rgb = [8 / 255, 12 / 255, 24 / 255];
/** Difference of two areas that touch each other, which is seen without looking for it. */
const SEEN_SIDE_BY_SIDE = 5;
/** Opacity of shapes that a new user starts with. */
const SPECIFIED_OPACITY = 0.6;
/** Difference that is seen at a glance, also along a thin line. */
const CLEAR = 15;

const EYES: Record<string, (color: Rgb) => Rgb> = { "normal sight": (color) => color, deuteranopia: withDeuteranopia };
const PLAIN = [...Object.values(PALETTES).flat(), ...READABLE_PALETTE];
const COLORS = PLAIN.flatMap((color) => SHADES.map((shade) => shadeOf(color, shade)));

/** Returns how clearly a resting outline is seen on a ground: by its colour, or by its casing. */
function clarity(color: string, ground: Rgb, see: (color: Rgb) => Rgb): number {
  const difference = (seen: Rgb) => differenceOf(see(seen), see(ground));
  const isCased = restingLines(color, 1.5).some((line) => line.color === CASING);
  const casing = isCased ? difference(over(CASING_COLOR, ground, CASING_ALPHA)) : 0;
  return Math.max(difference(rgbOf(color)), casing);
}

/** Returns the colours of a photograph that was shrunk to thirty pixels. */
async function tonesOf(file: string): Promise<Rgb[]> {
  const { data, info } = await sharp(file)
    .resize(6, 5, { fit: "fill" })
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = Array.from({ length: data.length / info.channels }, (_, i) => i * info.channels);
  return pixels.map((at): Rgb => [data[at]! / 255, data[at + 1]! / 255, data[at + 2]! / 255]);
}

/** Returns thirty colours of each photograph. */
async function tonesOfPhotographs(): Promise<Rgb[]> {
  const folder = mkdtempSync(join(tmpdir(), "limn-contrast-"));
  const { files } = await loadPhotographs(folder);
  const tones = (await Promise.all(files.map(tonesOf))).flat();
  rmSync(folder, { recursive: true, force: true });
  expect(tones.length).toBeGreaterThan(800);
  return tones;
}

describe("the outline of a resting shape", () => {
  for (const [eyes, see] of Object.entries(EYES))
    test.each(Object.entries(GROUNDS))(`is set off against %s with ${eyes}, in every colour`, (_, grounds) => {
      const unclear = grounds.flatMap((ground) =>
        COLORS.filter((color) => clarity(color, rgbOf(ground), see) < CLEAR).map((color) => `${color} on ${ground}`),
      );
      expect(unclear).toEqual([]);
    });

  for (const [eyes, see] of Object.entries(EYES))
    test.each(Object.entries(GROUNDS))(
      `is set off against its own fill on %s with ${eyes}, in every colour`,
      (_, grounds) => {
        const unclear = grounds.flatMap((ground) =>
          COLORS.filter((color) => {
            const filled = over(rgbOf(color), rgbOf(ground), fillAlpha(SPECIFIED_OPACITY));
            return clarity(color, filled, see) < CLEAR;
          }).map((color) => `${color} on ${ground}`),
        );
        expect(unclear).toEqual([]);
      },
    );

  test("is set off against all parts of photographs, in every colour, with any eyes", async () => {
    const tones = await tonesOfPhotographs();
    for (const see of Object.values(EYES)) {
      const unclear = tones.map((tone) => PLAIN.filter((color) => clarity(color, tone, see) < CLEAR).length);
      const share = unclear.reduce((sum, count) => sum + count, 0) / (tones.length * PLAIN.length);

      expect(share).toBeLessThan(0.002);
    }
  });

  test("would be lost without its casing on water and foliage, with deuteranopia", () => {
    const bare = (color: string, ground: string) =>
      differenceOf(withDeuteranopia(rgbOf(color)), withDeuteranopia(rgbOf(ground)));
    expect(bare("#cc6677", "#709675")).toBeLessThan(3);
    expect(bare("#117733", "#497029")).toBeLessThan(6);
  });

  test("has the casing that the test measures", () => {
    expect(CASING).toBe(`rgba(8, 12, 24, ${CASING_ALPHA})`);
  });
});

describe("the fill of a resting shape", () => {
  test("is seen beside nearly all parts of photographs, by most eyes in nearly every colour", async () => {
    const tones = await tonesOfPhotographs();
    const shareBelow = (see: (color: Rgb) => Rgb, least: number) => {
      const faint = tones.map((tone) => {
        const seen = see(tone);
        const fills = PLAIN.map((color) => see(over(rgbOf(color), tone, fillAlpha(SPECIFIED_OPACITY))));
        return fills.filter((fill) => differenceOf(fill, seen) < least).length;
      });
      return faint.reduce((sum, count) => sum + count, 0) / (tones.length * PLAIN.length);
    };
    expect(shareBelow((color) => color, SEEN_SIDE_BY_SIDE)).toBeLessThan(0.005);
    // Some colours and grounds differ in red and green only; the outline shows these shapes.
    expect(shareBelow(withDeuteranopia, SEEN_SIDE_BY_SIDE)).toBeLessThan(0.1);
  });
});
