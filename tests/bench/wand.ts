import peer from "magic-wand-tool";
import { ringsToRle } from "../../shared/coco/mask";
import { MagicWand } from "../../shared/wand/magicWand";
import { pixelsOf } from "../../shared/wand/pixels";
import { type TexturedImage, texturedImage } from "../support/texturedImage";
import type { Figure } from "./figures";
import { inMs, median, milliseconds, sideBySide } from "./sideBySide";

const SIZES = [
  { name: "12 MP", width: 4000, height: 3000 },
  { name: "24 MP", width: 6000, height: 4000 },
];
const SHARES = [0.02, 0.1, 0.3];
const OPTIONS = { threshold: 30, blur: 40 };
const ROUNDS = 7;
const DRAG_STEPS = 40;

/** Measures flood fill, border smoothing and outline of the magic wand, beside an npm package with the same task. */
export async function wand(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, width, height } of SIZES)
    for (const share of SHARES) {
      const image = texturedImage(width, height, share);
      figures.push(click(`Magic wand, ${name}, ${100 * share} %`, image));
      if (name === "12 MP" && share === 0.1) figures.push(drag(`Magic wand, drag step, ${name}, 10 %`, image));
    }
  return figures;
}

function click(what: string, image: TexturedImage): Figure {
  const { width, height, data, start } = image;
  const wand = new MagicWand(pixelsOf(data, width, height));
  let gesture = 0;
  const ours = () => wand.grow(gesture++, start.x, start.y, { ...OPTIONS, simplify: 1 });
  const theirs = () => {
    const mask = peer.gaussBlurOnlyBorder(flood(image), OPTIONS.blur);
    peer.traceContours(mask);
    return mask;
  };
  const exact = wand.grow(-1, start.x, start.y, OPTIONS) ?? [];
  const iou = overlap(ringsToRle(exact, width, height), theirs().data, width, height);
  const { ours: mine, peer: other, ratio } = sideBySide(ROUNDS, ours, theirs);
  return {
    what: `${what} (IoU ${iou.toFixed(4)})`,
    ours: `${inMs(mine)}, simplified`,
    peer: `magic-wand-tool ${inMs(other)}`,
    ratio,
    goal: "5 times faster, IoU 0.99",
    met: ratio >= 5 && iou >= 0.99,
  };
}

function flood({ width, height, data, start }: TexturedImage) {
  const mask = peer.floodFill({ data, width, height, bytes: 4 }, start.x, start.y, OPTIONS.threshold);
  if (!mask) throw new Error("The package flooded nothing");
  return mask;
}

/** Steps of one drag from the start along a line: every step fills, smooths and outlines the whole region. */
function drag(what: string, { width, height, data, start }: TexturedImage): Figure {
  const wand = new MagicWand(pixelsOf(data, width, height));
  const step = (i: number) => wand.grow(1, start.x + 7 * i, start.y + 2 * i, { ...OPTIONS, simplify: 1 });
  for (let i = 0; i < 3; i++) step(i);
  const times = Array.from({ length: DRAG_STEPS }, (_, i) => milliseconds(() => step(i)));
  const [typical, worst] = [median(times), Math.max(...times)];
  return {
    what,
    ours: `median ${inMs(typical)}, longest ${inMs(worst)}`,
    peer: "-",
    ratio: null,
    goal: "under 50 ms",
    met: typical < 50,
  };
}

/** Returns the intersection over union of a mask as COCO runs (column by column) and one as bytes (row by row). */
function overlap(runs: readonly number[], bytes: Uint8Array, width: number, height: number): number {
  let both = 0;
  let ours = 0;
  let at = 0;
  runs.forEach((length, i) => {
    if (i % 2 === 1) {
      ours += length;
      for (let k = at; k < at + length; k++) both += bytes[(k % height) * width + Math.floor(k / height)]!;
    }
    at += length;
  });
  const theirs = bytes.reduce((sum, byte) => sum + byte, 0);
  return both / (ours + theirs - both);
}
