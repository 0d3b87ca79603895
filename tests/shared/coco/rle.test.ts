import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compress, decompress, RleError, runsOf, toRle } from "../../../shared/coco/rle";

describe("compress and decompress", () => {
  it("compress and decompress are inverse to each other", () => {
    const runs = fc.array(fc.oneof(fc.nat(40), fc.nat(100_000), fc.nat(2 ** 31)), { maxLength: 4 });
    fc.assert(
      fc.property(fc.oneof(runs, fc.array(fc.nat(5000), { maxLength: 500 })), (list) => {
        expect(decompress(compress(list))).toEqual(list);
      }),
    );
  });

  it("compress and decompress equal the reference implementation", () => {
    expect(compress([165])).toBe("U5");
    expect(compress([27349, 6, 44, 6, 42, 6, 44, 5, 44, 5, 47, 1, 2585])).toBe("efj06\\10N02O003LZ_2");
  });

  it("compress and decompress support ten billion pixels and many runs", () => {
    expect(decompress(compress([0, 1e10]))).toEqual([0, 1e10]);
    const many = Array.from({ length: 300_000 }, (_, i) => i % 1000);
    expect(decompress(compress(many))).toEqual(many);
  });

  it.each([
    ["an unknown character", "U5!"],
    ["a character beyond the alphabet", "Up"],
    ["a character beyond ASCII", "Uש"],
    ["an end within a number", "U"],
    ["a negative run", "O"],
    ["a number without end", "o".repeat(100)],
    ["too many pixels", `${"ooooooO0".repeat(2)}`],
  ])("decompress refuses %s", (_, text) => {
    expect(() => decompress(text)).toThrow(RleError);
  });

  it("decompress returns runs or throws for any text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        try {
          expect(decompress(text).every((length) => Number.isInteger(length) && length >= 0)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(RleError);
        }
      }),
    );
  });
});

describe("runsOf", () => {
  it("reads both forms", () => {
    expect(runsOf({ size: [11, 15], counts: "U5" })).toEqual([165]);
    expect(runsOf({ size: [3, 4], counts: [2, 7, 3] })).toEqual([2, 7, 3]);
    expect(runsOf(toRle([2, 7, 3], 3, 4, true))).toEqual([2, 7, 3]);
    expect(toRle([2, 7, 3], 3, 4, false)).toEqual({ size: [3, 4], counts: [2, 7, 3] });
  });

  it("refuses counts that do not fill the image, and invalid counts", () => {
    expect(() => runsOf({ size: [3, 4], counts: [2, 7] })).toThrow(RleError);
    expect(() => runsOf({ size: [3, 4], counts: [] })).toThrow(RleError);
    expect(() => runsOf({ size: [3, 4], counts: [-2, 7, 7] })).toThrow(RleError);
    expect(() => runsOf({ size: [3, 4], counts: [2.5, 9.5] })).toThrow(RleError);
    expect(() => runsOf({ size: [11, 14], counts: "U5" })).toThrow(RleError);
  });
});
