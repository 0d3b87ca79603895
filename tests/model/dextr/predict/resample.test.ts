import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Box, Part } from "../../../../model/dextr/base/imageSource";
import { neededOf, resample } from "../../../../model/dextr/predict/resample";
import { paintedImage } from "../../../support/dextr";
import { seededRandom } from "../../../support/seededRandom";

const GREY = 127 / 127.5 - 1;

/** Returns the planes as brightness 0 to 255. */
function look(part: Part | null, crop: Box, size: number): number[] {
  const planes = new Float32Array(3 * size * size);
  resample(part, crop, size, planes);
  return Array.from(planes, (v) => (v + 1) * 127.5);
}

function partOf(width: number, height: number, color: (x: number, y: number, c: number) => number): Part {
  const data = Uint8Array.from({ length: 4 * width * height }, (_, i) => {
    const pixel = i >> 2;
    return (i & 3) === 3 ? 255 : color(pixel % width, Math.floor(pixel / width), i & 3);
  });
  return { data, left: 0, top: 0, width, height };
}

function noise(width: number, height: number, seed = 1): Part {
  const random = seededRandom(seed);
  return partOf(width, height, () => Math.floor(random() * 256));
}

describe("a crop at its own size", () => {
  it("copies the pixels unchanged, channel by channel", () => {
    const part = noise(32, 32);
    const planes = look(part, { left: 0, top: 0, right: 32, bottom: 32 }, 32);
    for (let c = 0; c < 3; c++)
      for (let i = 0; i < 32 * 32; i++) expect(planes[c * 1024 + i]).toBeCloseTo(part.data[4 * i + c]!, 3);
  });

  it("is grey outside the image and behind transparent pixels", () => {
    const part = partOf(32, 32, () => 255);
    for (let i = 0; i < 16 * 32; i++) part.data[4 * i + 3] = 0;
    const planes = new Float32Array(3 * 1024);
    resample(part, { left: -16, top: 0, right: 16, bottom: 32 }, 32, planes);
    expect(planes[20 * 32 + 3]).toBeCloseTo(GREY, 6);
    expect(planes[3 * 32 + 20]).toBeCloseTo(GREY, 6);
    expect(planes[20 * 32 + 20]).toBeCloseTo(1, 6);
  });

  it("is all grey without an image", () => {
    const planes = look(null, { left: -64, top: 0, right: -32, bottom: 32 }, 32);
    expect(new Set(planes.map((v) => v.toFixed(3)))).toEqual(new Set(["127.000"]));
  });
});

describe("an enlarged crop", () => {
  it("is bilinear between pixel centres", () => {
    // 16 columns of 10, 20, 30, …; enlarged twice: the centre of target pixel n is at (n + 0.5) / 2.
    const part = partOf(16, 16, (x) => 10 * (x + 1));
    const planes = look(part, { left: 0, top: 0, right: 16, bottom: 16 }, 32);
    const row = planes.slice(10 * 32, 11 * 32);
    for (let n = 1; n < 31; n++) expect(row[n]).toBeCloseTo(10 * ((n + 0.5) / 2 - 0.5) + 10, 3);
    // At the border a quarter of the light comes from outside.
    expect(row[0]).toBeCloseTo(0.75 * 10 + 0.25 * 127, 3);
  });
});

describe("a reduced crop", () => {
  it("equals the result of libvips with its triangle filter", async () => {
    const part = noise(96, 112);
    const planes = look(part, { left: 0, top: 0, right: 96, bottom: 112 }, 32);
    const reference = await sharp(part.data, { raw: { width: 96, height: 112, channels: 4 } })
      .removeAlpha()
      .resize(32, 32, { fit: "fill", kernel: "linear" })
      .raw()
      .toBuffer();
    const differences: number[] = [];
    for (let y = 2; y < 30; y++)
      for (let x = 2; x < 30; x++)
        for (let c = 0; c < 3; c++)
          differences.push(Math.abs(planes[(c * 32 + y) * 32 + x]! - reference[3 * (32 * y + x) + c]!));
    expect(Math.max(...differences)).toBeLessThan(3);
  });

  it.each([2, 3.7, 9, 25])("keeps brightness and position when reduced %d times", (times) => {
    const side = Math.round(64 * times);
    const part = partOf(side, side, (x, y, c) =>
      Math.round(c === 0 ? (255 * (x + 0.5)) / side : c === 1 ? (255 * (y + 0.5)) / side : 200),
    );
    const planes = look(part, { left: 0, top: 0, right: side, bottom: side }, 64);
    for (const n of [2, 20, 40, 61]) {
      expect(planes[30 * 64 + n]).toBeCloseTo((255 * (n + 0.5)) / 64, 0);
      expect(planes[4096 + n * 64 + 30]).toBeCloseTo((255 * (n + 0.5)) / 64, 0);
      expect(planes[2 * 4096 + n * 64 + n]).toBeCloseTo(200, 3);
    }
  });

  it("suppresses a fine pattern", () => {
    const side = 1300;
    const part = partOf(side, side, (x) => (x % 2 === 0 ? 255 : 0));
    const planes = look(part, { left: 0, top: 0, right: side, bottom: side }, 256);
    for (let x = 2; x < 254; x++) expect(Math.abs(planes[100 * 256 + x]! - 127.5)).toBeLessThan(26);
  });
});

describe("the part of the image that is read", () => {
  it("is sufficient: it gives the same crop as the whole image", async () => {
    const random = seededRandom(7);
    for (let n = 0; n < 30; n++) {
      const [width, height] = [1 + Math.floor(random() * 200), 1 + Math.floor(random() * 200)];
      const { image } = paintedImage(width, height, (x, y) => [(x * 37) % 256, (y * 91) % 256, (x * y) % 256]);
      const [left, top] = [random() * 260 - 60, random() * 260 - 60];
      const crop = { left, top, right: left + 5 + random() * 300, bottom: top + 5 + random() * 300 };
      const whole = await image.read({ left: 0, top: 0, right: width, bottom: height });
      const needed = neededOf(crop, 32, width, height);
      const part = needed && (await image.read(needed));
      expect(look(part, crop, 32)).toEqual(look(whole, crop, 32));
    }
  });

  it("is empty for a crop beside the image", () => {
    expect(neededOf({ left: 300, top: 0, right: 400, bottom: 100 }, 64, 200, 200)).toBeNull();
    expect(neededOf({ left: -9, top: -9, right: 20.5, bottom: 20.5 }, 32, 200, 200)).toEqual({
      left: 0,
      top: 0,
      right: 22,
      bottom: 22,
    });
  });
});
