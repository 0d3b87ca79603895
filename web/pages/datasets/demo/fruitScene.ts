import type { Ring } from "../../../../shared/entities/shape";
import { ringBounds, signedArea } from "../../../../shared/geometry/ring";

/** The scenes of the demo dataset: fruit on a table, computed from a number, so that no photographs are needed. */

export const SCENE = { width: 960, height: 640 } as const;

export type Fruit = "apple" | "orange" | "pear" | "banana";
export const FRUIT: readonly Fruit[] = ["apple", "orange", "pear", "banana"];

export interface PlacedFruit {
  kind: Fruit;
  x: number;
  y: number;
  /** Half of the fruit's width, in pixels. */
  size: number;
  /** Rotation in radians. */
  angle: number;
  /** Changes the shade, 0 to 1. */
  shade: number;
  /** Outline in image pixels. */
  ring: Ring;
}

export interface FruitScene {
  /** 0, 1 or 2. */
  table: number;
  seed: number;
  fruit: PlacedFruit[];
}

/** Number of points of an outline. */
const POINTS = 40;
/** Room between two fruit, in pixels. */
const GAP = 14;
const SIZE = { min: 58, max: 86 } as const;
const TRIES = 400;

/** Returns the scene with a number, always the same one. */
export function fruitScene(number: number): FruitScene {
  const random = randomOf(number);
  const wanted = 5 + Math.floor(random() * 5);
  const fruit: PlacedFruit[] = [];
  for (let i = 0; i < TRIES && fruit.length < wanted; i++) {
    const placed = place(random);
    if (fruit.every((other) => isApart(placed, other))) fruit.push(placed);
  }
  return { table: number % 3, seed: number, fruit };
}

function place(random: () => number): PlacedFruit {
  const kind = FRUIT[Math.floor(random() * FRUIT.length)] ?? "apple";
  const size = SIZE.min + random() * (SIZE.max - SIZE.min);
  const margin = size * 1.5;
  const x = margin + random() * (SCENE.width - 2 * margin);
  const y = margin + random() * (SCENE.height - 2 * margin);
  const angle = (random() - 0.5) * (kind === "banana" ? 5 : 0.9);
  const unit = unitOutline(kind);
  const ring = unit.map((_, i) => {
    const [ux, uy] = [unit[i - (i % 2)]! * size, unit[i - (i % 2) + 1]! * size];
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    return rounded(i % 2 === 0 ? x + ux * cos - uy * sin : y + ux * sin + uy * cos);
  });
  return { kind, x, y, size, angle, shade: random(), ring };
}

/** Returns the outline of a fruit around the origin, whose half width is about 1. */
function unitOutline(kind: Fruit): Ring {
  return Array.from({ length: POINTS }, (_, i) => {
    const angle = (2 * Math.PI * i) / POINTS;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    if (kind === "orange") return [sin, -cos];
    if (kind === "pear") return [sin * (0.76 - 0.26 * cos - 0.1 * Math.cos(2 * angle)), -1.28 * cos];
    if (kind === "apple")
      return [sin * (1 + 0.05 * cos), -0.94 * cos + 0.16 * Math.exp(-((wrapped(angle) / 0.42) ** 2))];
    return bananaPoint(i / POINTS);
  }).flat();
}

/** Returns an angle from -π to π. */
const wrapped = (angle: number): number => (angle > Math.PI ? angle - 2 * Math.PI : angle);

/** Returns the point at a share (0 to 1) of a crescent's outline: first its outer side, from 0.5 on its inner side. */
function bananaPoint(share: number): [number, number] {
  const along = share < 0.5 ? 2 * share : 2 - 2 * share;
  const bend = 0.35 + along * (Math.PI - 0.7);
  const thickness = 0.06 + 0.2 * Math.sin(Math.PI * along) ** 0.6;
  const radius = 1.25 + (share < 0.5 ? thickness : -thickness);
  return [radius * Math.cos(bend), radius * Math.sin(bend) - 0.95];
}

function isApart(a: PlacedFruit, b: PlacedFruit): boolean {
  const [ax, ay, aw, ah] = ringBounds(a.ring);
  const [bx, by, bw, bh] = ringBounds(b.ring);
  return ax > bx + bw + GAP || bx > ax + aw + GAP || ay > by + bh + GAP || by > ay + ah + GAP;
}

/** Pseudo-random numbers from 0 to below 1, the same for the same seed. Constants: Numerical Recipes. */
export function randomOf(seed: number): () => number {
  let state = (seed * 7919 + 104_729) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const COLORS: Record<Fruit, string> = { apple: "#e5484d", orange: "#f76b15", pear: "#46a758", banana: "#0090ff" };

/** Returns the COCO file of scenes; `fileName` names the image of each. */
export function sceneCoco(scenes: readonly FruitScene[], fileName: (index: number) => string) {
  const annotations = scenes.flatMap(({ fruit }, i) =>
    fruit.map(({ kind, ring }) => ({
      image_id: i + 1,
      category_id: FRUIT.indexOf(kind) + 1,
      segmentation: [ring],
      bbox: ringBounds(ring).map(rounded),
      area: rounded(Math.abs(signedArea(ring))),
      iscrowd: 0,
    })),
  );
  return {
    images: scenes.map((_, i) => ({ id: i + 1, file_name: fileName(i), ...SCENE })),
    categories: FRUIT.map((name, i) => ({ id: i + 1, name, supercategory: "fruit", color: COLORS[name] })),
    annotations: annotations.map((annotation, i) => ({ id: i + 1, ...annotation })),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
