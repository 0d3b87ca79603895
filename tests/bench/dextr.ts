import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import sharp from "sharp";
import network from "../../model/dextr.json" with { type: "json" };
import { startDextrHarness } from "../support/dextrHarness";
import type { AskedWalk, Walk } from "../support/dextrPage/walk";
import { texturedImage } from "../support/texturedImage";
import { launchBrowser } from "./browser";
import type { Figure } from "./figures";
import { inMs, median } from "./sideBySide";

const IMAGE = { name: "12 MP", width: 4000, height: 3000 };
const ROUNDS = 15;
const FIRST_USES = 3;
/** The browser reports tasks of at least this length, in milliseconds. */
const LONG_TASK_MS = 50;

/** Measures DEXTR in Chromium without a graphics card, beside the network alone in a worker of the same page. */
export async function dextr(): Promise<Figure[]> {
  // No server responds there, so the browser uses the network built into the application.
  const harness = await startDextrHarness("http://127.0.0.1:9/");
  const browser = await launchBrowser();
  try {
    const start = await putImage(harness.folder);
    const walks: Walk[] = [];
    for (let i = 0; i < FIRST_USES; i++) walks.push(await walk(browser, harness.url, start));
    return figuresOf(walks);
  } finally {
    await browser.close();
    await harness.remove();
  }
}

async function putImage(folder: string): Promise<{ x: number; y: number }> {
  const { width, height } = IMAGE;
  const { data, start } = texturedImage(width, height, 0.1);
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  writeFileSync(join(folder, "assets", "image.jpg"), await image.jpeg({ quality: 85 }).toBuffer());
  return start;
}

/** Runs in a new profile, in which nothing is cached. */
async function walk(browser: Browser, url: string, { x, y }: { x: number; y: number }): Promise<Walk> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    const address = new URL("assets/image.jpg", url).href;
    const requested: AskedWalk = { address, x, y, rounds: ROUNDS, size: network.size };
    return await page.evaluate((requested) => window.dextrPage.walk(requested), requested);
  } finally {
    await context.close();
  }
}

function figuresOf(walks: Walk[]): Figure[] {
  const how = `${walks[0]?.why.split(".")[0]}, ${network.size} px`;
  const warm = median(walks.flatMap(({ warmMs }) => warmMs));
  const bare = median(walks.flatMap(({ bareMs }) => bareMs));
  const first = median(walks.map(({ firstMs }) => firstMs));
  const longest = Math.max(0, ...walks.flatMap(({ longTasksMs }) => longTasksMs));
  const summary = longest < LONG_TASK_MS ? `none over ${LONG_TASK_MS} ms` : `longest ${inMs(longest)}`;
  return [
    {
      what: `DEXTR, four clicks to outline, warm, ${IMAGE.name} (${how})`,
      ours: inMs(warm),
      peer: `session.run of one crop alone ${inMs(bare)}`,
      ratio: warm / bare,
      goal: "at most 150 ms and 3 times",
      met: warm <= 150 && warm / bare <= 3,
    },
    {
      what: `DEXTR, first outline with loading of image, runtime and network, ${IMAGE.name}`,
      ours: inMs(first),
      peer: "-",
      ratio: null,
      goal: "at most 3 s",
      met: first <= 3000,
    },
    {
      what: "DEXTR, long tasks of the main thread",
      ours: summary,
      peer: "-",
      ratio: null,
      goal: `none over ${LONG_TASK_MS} ms`,
      met: longest <= LONG_TASK_MS,
    },
  ];
}
