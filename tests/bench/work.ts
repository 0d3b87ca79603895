import type { Locator, Page } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import type { Bed } from "./bed";
import { inBrowser } from "./canvas";
import { cvat } from "./cvat";
import type { Figure } from "./figures";
import { Hand, seconds, summary, type Work } from "./hand";

/** The photograph, and the objects on it: a grid of irregular outlines. */
const SIZE = { width: 1600, height: 1200 };
const COLUMNS = 10;
const ROWS = 8;
const RADIUS = 48;
const CATEGORIES = ["cell", "nucleus", "debris"];
const IMAGES = Array.from({ length: 25 }, (_, i) => `work-${String(i + 1).padStart(2, "0")}`);
const NEXT = 20;

type Place = (x: number, y: number) => { x: number; y: number };
interface Job {
  page: Page;
  desk: Desk;
  hand: Hand;
  at: Place;
  image: number;
  /** Returns the ids of the images after this one. */
  next: number[];
}

/**
 * Does an annotator's work in the real page with real events, and compares the keys, clicks and seconds with those that
 * CVAT's manual needs. Throws if the server does not store what the work should give.
 */
export async function work(bed: Bed): Promise<Figure[]> {
  return inBrowser(bed, false, async (page) => {
    const desk = new Desk(page, bed.server.url);
    const figures: Figure[] = [];
    for (const { what, peer, objects, run } of JOBS) {
      const { id, image } = await desk.plainDataset(what, CATEGORIES, IMAGES, SIZE.width, SIZE.height);
      const [first, ...others] = IMAGES.map(image);
      if (!first) throw new Error("no image");
      if (objects.length > 0) await importObjects(desk, id, objects);
      await desk.open(first, `?dataset=${id}`);
      const { at } = await desk.fit(SIZE.width, SIZE.height);
      await page.keyboard.press("s");
      const hand = new Hand(page);
      await run({ page, desk, hand, at, image: first, next: others.slice(0, NEXT) });
      figures.push(figureOf(what, hand.done, peer));
    }
    return figures;
  });
}

function figureOf(what: string, ours: Work, peer: (typeof cvat)[keyof typeof cvat]): Figure {
  const theirs = seconds(peer.work);
  const ratio = seconds(ours) / theirs;
  return {
    what: `Work: ${what}`,
    ours: summary(ours),
    peer: `CVAT's manual: ${summary(peer.work)} (${peer.pages.join(", ")})`,
    ratio,
    goal: "at most CVAT's seconds",
    met: ratio <= 1,
  };
}

/** Category of each object, as an index. */
const ALL_CELLS = Array.from({ length: COLUMNS * ROWS }, () => 0);
const MIXED = ALL_CELLS.map((_, i) => (i % 8 < 5 ? 0 : 1));
/** Objects outside of the first four rows that are changed one by one. */
const SCATTERED = [41, 44, 48, 52, 57, 60, 63, 69, 72, 78];

interface JobDefinition {
  what: string;
  peer: (typeof cvat)[keyof typeof cvat];
  /** Categories of the objects that are there already. */
  objects: readonly number[];
  run(job: Job): Promise<void>;
}

const JOBS: readonly JobDefinition[] = [
  {
    what: "20 boxes of one category",
    peer: cvat.boxes,
    objects: [],
    run: async ({ desk, hand, at, image }) => {
      await hand.command("r");
      const boxes = Array.from({ length: 20 }, (_, i) => bounds(i * 4));
      for (const [left, top, right, bottom] of boxes) await hand.drag(at(left, top), at(right, bottom));
      await expectStored(desk, image, (all) => all.length === 20 && all.every((each) => each.isbbox));
      const stored = (await desk.annotations(image)).sort((a, b) => (a.id ?? 0) - (b.id ?? 0)).map((each) => each.bbox);
      const isNear = stored.every((box, i) => box?.every((value, k) => Math.abs(value - bboxOf(boxes[i])[k]!) <= 2));
      if (!isNear) throw new Error(`boxes are elsewhere: ${JSON.stringify(stored)}`);
    },
  },
  {
    what: "re-label 50 of 80 shapes, all those of a category",
    peer: cvat.relabelCategory,
    objects: MIXED,
    run: async ({ page, desk, hand, image }) => {
      const row = page.getByRole("treeitem", { name: /^cell \(50\)/ });
      await hand.hold("Control", async () => hand.click(await middle(row)));
      await hand.command("3");
      await expectCategories(desk, image, { nucleus: 30, debris: 50 });
    },
  },
  {
    what: "re-label 50 of 80 shapes, 40 in one area and 10 elsewhere",
    peer: cvat.relabelScattered,
    objects: ALL_CELLS,
    run: async ({ desk, hand, at, image }) => {
      const [left, top] = bounds(0);
      const [, , right, bottom] = bounds(39);
      await hand.drag(at(left - 15, top - 15), at(right + 15, bottom + 15));
      await hand.hold("Shift", async () => {
        for (const i of SCATTERED) await hand.click(at(...center(i)));
      });
      await hand.command("3");
      await expectCategories(desk, image, { cell: 30, debris: 50 });
    },
  },
  {
    what: "merge 2 shapes",
    peer: cvat.merge,
    objects: ALL_CELLS,
    run: async ({ desk, hand, at, image }) => {
      await hand.click(at(...center(12)));
      await hand.point(at(...center(13)));
      await hand.command("m");
      await expectStored(desk, image, (all) => all.length === 79 && all.some((each) => each.rings?.length === 2));
    },
  },
  {
    what: "split 1 shape in two",
    peer: cvat.split,
    objects: ALL_CELLS,
    run: async ({ desk, hand, at, image }) => {
      await hand.click(at(...center(35)));
      await hand.command("i");
      const [x, y] = center(35);
      await hand.drag(at(x - RADIUS - 12, y), at(x + RADIUS + 12, y));
      await expectStored(desk, image, (all) => all.length === 81);
    },
  },
  {
    what: `propagate 5 shapes to the next ${NEXT} images`,
    peer: cvat.propagate,
    objects: ALL_CELLS.slice(0, 5),
    run: async ({ page, desk, hand, at, next }) => {
      const [left, top] = bounds(0);
      const [, , right, bottom] = bounds(4);
      await hand.drag(at(left - 15, top - 15), at(right + 15, bottom + 15));
      await hand.command("Control+b");
      await page.getByRole("dialog").waitFor();
      await hand.typeAndConfirm(String(NEXT));
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      for (const image of next) await expectStored(desk, image, (all) => all.length === 5);
    },
  },
];

/** Imports objects with these categories onto the first image. */
async function importObjects(desk: Desk, datasetId: number, categories: readonly number[]): Promise<void> {
  await desk.importCoco(datasetId, {
    images: [{ id: 1, file_name: `${IMAGES[0]}.png`, ...SIZE }],
    categories: CATEGORIES.map((name, i) => ({ id: i + 1, name })),
    annotations: categories.map((category, i) => {
      const segmentation = [outline(i)];
      return { id: i + 1, image_id: 1, category_id: category + 1, iscrowd: 0, segmentation };
    }),
  });
}

function center(i: number): [x: number, y: number] {
  const step = { x: SIZE.width / COLUMNS, y: SIZE.height / ROWS };
  return [((i % COLUMNS) + 0.5) * step.x, (Math.floor(i / COLUMNS) + 0.5) * step.y];
}

function bounds(i: number): [left: number, top: number, right: number, bottom: number] {
  const [x, y] = center(i);
  return [x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS];
}

const bboxOf = ([left, top, right, bottom]: readonly number[] = []): number[] => [
  left!,
  top!,
  right! - left!,
  bottom! - top!,
];

function outline(i: number): number[] {
  const [x, y] = center(i);
  return Array.from({ length: 40 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 40;
    const radius = RADIUS * (0.85 + 0.15 * Math.sin(5 * angle + i));
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}

async function middle(row: Locator): Promise<{ x: number; y: number }> {
  const box = await row.boundingBox();
  if (!box) throw new Error("the row is not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

type Stored = Awaited<ReturnType<Desk["annotations"]>>;

/** Waits until the server has stored annotations that satisfy the test. */
async function expectStored(desk: Desk, image: number, isRight: (all: Stored) => boolean): Promise<void> {
  const until = performance.now() + 20_000;
  let all: Stored;
  do all = await desk.annotations(image);
  while (!isRight(all) && performance.now() < until);
  if (!isRight(all)) throw new Error(`image ${image} has ${all.length} annotations, but not the expected ones`);
}

async function expectCategories(desk: Desk, image: number, counts: Readonly<Record<string, number>>): Promise<void> {
  const until = performance.now() + 20_000;
  let found: Record<string, number>;
  do {
    const { categories } = await desk.scene(image);
    const used = categories.filter(({ annotations }) => annotations.length > 0);
    found = Object.fromEntries(used.map(({ name, annotations }) => [name, annotations.length]));
  } while (!isSame(found, counts) && performance.now() < until);
  if (!isSame(found, counts)) throw new Error(`stored ${JSON.stringify(found)}, expected ${JSON.stringify(counts)}`);
}

const isSame = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, count]) => b[name] === count);
