import { describe, expect, it } from "vitest";
import type { DextrSession } from "../../../model/dextr/base/session";
import { clicksUntil, measure } from "../../../model/evaluate/measure";
import { withMirror } from "../../../model/evaluate/mirror";
import type { Sample } from "../../../model/evaluate/pack";
import { whiteIsObject } from "../../support/dextr";

const OPTIONS = { size: 64, padding: 50, noise: 0.02, guide: false, corrections: true };

/** A photograph of 60 × 60 pixels, white from 10 to 50, whose object is that square without `notch` × 40 pixels. */
function squareWithout(notch: number): Sample {
  const side = 60;
  const inside = (i: number, right: number) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    return x >= 10 && x < right && y >= 10 && y < 50;
  };
  const data = new Uint8Array(4 * side * side).fill(255);
  for (let i = 0; i < side * side; i++) if (!inside(i, 50)) data.fill(0, 4 * i, 4 * i + 3);
  const mask = Uint8Array.from({ length: side * side }, (_, i) => (inside(i, 50 - notch) ? 1 : 0));
  return {
    photograph: { width: side, height: side, data },
    mask: { width: side, height: side, data: mask },
    ignored: null,
  };
}

/** A network that sees white, and gives up all of it after the first correction, and nothing after the second. */
const obedient: DextrSession = {
  run: async (input) => {
    const found = await whiteIsObject.run(input);
    const corrections = input.data.subarray(4 * 64 * 64);
    return found.map((value, i) => (corrections[i]! < -0.3 ? 0 : value));
  },
};

describe("measuring an object", () => {
  it("gives full scores if the outline is right, and counts no click", async () => {
    const { corrected, noisy, box, border, obeyed } = await measure(squareWithout(0), whiteIsObject, 1, OPTIONS);
    for (const score of [...corrected, noisy, box]) expect(score).toBeGreaterThan(0.97);
    expect(border).toBeLessThan(0.05);
    expect([corrected.length, obeyed]).toEqual([6, 5]);
    expect(clicksUntil(corrected, 0.9)).toBe(0);
  });

  it.each([
    ["a network that heeds it", obedient],
    ["one that does not", whiteIsObject],
  ])("corrects the middle of the largest error, until there is none, with %s", async (_, network) => {
    const { obeyed, corrected } = await measure(squareWithout(3), network, 1, OPTIONS);
    expect(obeyed).toBe(5);
    expect(corrected[5]!).toBeGreaterThan(corrected[0]!);
  });

  it("leaves out the corrections if they are not wanted", async () => {
    const { corrected } = await measure(squareWithout(3), whiteIsObject, 1, { ...OPTIONS, corrections: false });
    expect(corrected).toHaveLength(1);
  });
});

describe("the number of clicks", () => {
  it("is that of the first outline that is good enough, or one more than were made", () => {
    expect(clicksUntil([0.8, 0.9, 0.85, 0.95], 0.9)).toBe(1);
    expect(clicksUntil([0.8, 0.9, 0.85, 0.95], 0.7)).toBe(0);
    expect(clicksUntil([0.8, 0.9, 0.85, 0.89], 0.95)).toBe(4);
  });
});

describe("the mean with the mirror image", () => {
  it("mirrors the input and turns its output back", async () => {
    const [width, height] = [64, 32];
    // The output grows from left to right whatever the input, plus the input's red.
    const slanted: DextrSession = {
      run: async ({ data }) => Float32Array.from({ length: width * height }, (_, i) => (i % width) + data[i]!),
    };
    const data = new Float32Array(5 * width * height);
    data[3] = 10;
    const found = await withMirror(slanted).run({ data, width, height });
    expect(found[0]).toBe((width - 1) / 2);
    expect(found[3]).toBe((width - 1) / 2 + 10);
    expect(found[width - 1 - 3]).toBe((width - 1) / 2);
  });
});
