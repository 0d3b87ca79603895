import { describe, expect, it } from "vitest";
import { PRINT_SIDE, printOf } from "../../../shared/quality/images/imagePrint";
import { type ComparedImage, findSimilar } from "../../../shared/quality/images/similarFindings";
import { eachSimilarPair } from "../../../shared/quality/images/similarImages";
import { seededRandom } from "../../support/seededRandom";

const random = seededRandom(3);
const newPrint = () => Array.from({ length: 32 }, () => Math.floor(16 * random()).toString(16)).join("");

/** Flips `count` different bits of a print. */
function flip(print: string, count: number): string {
  const bits = new Set<number>();
  while (bits.size < count) bits.add(Math.floor(128 * random()));
  const digits = [...print].map((digit) => Number.parseInt(digit, 16));
  for (const bit of bits) digits[bit >> 2]! ^= 1 << (bit & 3);
  return digits.map((digit) => digit.toString(16)).join("");
}

describe("prints", () => {
  it("hardly change with brightness and noise, and differ between pictures", () => {
    const picture = (phase: number, brightness = 0) =>
      Uint8Array.from({ length: PRINT_SIDE ** 2 }, (_, i) => {
        const [x, y] = [i % PRINT_SIDE, Math.floor(i / PRINT_SIDE)];
        return 110 + brightness + 50 * Math.sin(x / 9 + phase) + 40 * Math.cos(y / 7 - phase) + 3 * random();
      });
    const [first, brighter, other] = [picture(0), picture(0, 20), picture(2.5)].map((grey) => printOf(grey));
    expect(distanceOf(first!.hash, brighter!.hash)).toBeLessThan(6);
    expect(distanceOf(first!.hash, other!.hash)).toBeGreaterThan(30);
    expect(first!.contrast).toBeGreaterThan(20);
    expect(printOf(new Uint8Array(PRINT_SIDE ** 2).fill(200))).toEqual({ hash: "0".repeat(32), contrast: 0 });
  });
});

function distanceOf(a: string, b: string): number {
  let distance = 0;
  for (let i = 0; i < 32; i++)
    distance += (Number.parseInt(a[i]!, 16) ^ Number.parseInt(b[i]!, 16)).toString(2).replaceAll("0", "").length;
  return distance;
}

describe("similar prints", () => {
  it("are found exactly as by comparing all pairs", () => {
    const prints = Array.from({ length: 100 }, newPrint);
    for (let i = 0; i < 60; i++) prints.push(flip(prints[i]!, 1 + (i % 18)));
    const found: string[] = [];
    eachSimilarPair(prints, (a, b, distance) => found.push(`${a} ${b} ${distance}`));
    const all: string[] = [];
    for (let a = 0; a < prints.length; a++)
      for (let b = a + 1; b < prints.length; b++) {
        const distance = distanceOf(prints[a]!, prints[b]!);
        if (distance <= 14) all.push(`${a} ${b} ${distance}`);
      }
    expect(found.sort()).toEqual(all.sort());
    expect(all.length).toBeGreaterThan(40);
  });
});

describe("copies of images", () => {
  const image = (id: number, values: Partial<ComparedImage> = {}): ComparedImage => ({
    id,
    hash: `hash ${id}`,
    print: newPrint(),
    split: null,
    ...values,
  });
  const find = (...images: ComparedImage[]) =>
    findSimilar(images).map(({ kind, image: id, otherImage }) => [kind, id, otherImage]);

  it("are found by their bytes and by their looks", () => {
    const first = image(1);
    const copy = image(2, { hash: first.hash, print: first.print });
    const scaled = image(3, { print: flip(first.print!, 4) });
    expect(find(first, copy, scaled, image(4))).toEqual([
      ["sameImage", 2, 1],
      ["similarImage", 3, 1],
    ]);
  });

  it("leak if they are in different splits", () => {
    const first = image(1, { split: "train" });
    const twin = image(2, { ...first, id: 2 });
    const leaked = image(3, { ...first, id: 3, split: "test" });
    const scaled = image(4, { print: flip(first.print!, 4), split: "validation" });
    expect(find(first, twin, leaked, scaled)).toEqual([
      ["sameImage", 2, 1],
      ["leak", 3, 1],
      ["leak", 4, 3],
    ]);
  });

  it("are not looked for among blank images, except by their bytes", () => {
    expect(find(image(1, { print: null }), image(2, { print: null }))).toEqual([]);
    expect(find(image(1, { print: null, hash: "a" }), image(2, { print: null, hash: "a" }))).toEqual([
      ["sameImage", 2, 1],
    ]);
  });
});
