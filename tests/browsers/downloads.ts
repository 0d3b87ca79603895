import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { z } from "zod";
import type { BrowserPage } from "./browserPage";
import { listShows, press } from "./steps";

interface Expected {
  url: string;
  dataset: number;
  downloads: string;
  /** Number of annotations on the open image. */
  count: number;
  /** Number of annotations in the dataset. */
  total: number;
}

/** Reloads the annotator, compares the dataset's COCO file, and downloads the image and the COCO file of the image. */
export async function reloadAndDownload(page: BrowserPage, expected: Expected): Promise<void> {
  const { url, dataset, downloads, count, total } = expected;
  await page.reload();
  await listShows(page, count);
  const coco = z
    .object({ annotations: z.array(z.unknown()) })
    .parse(await page.evaluate(`fetch("${url}api/dataset/${dataset}/coco").then((response) => response.json())`));
  assert.equal(coco.annotations.length, total, "annotations in the COCO file");
  await press(page, "Image Menu");
  await press(page, "Download Image & COCO");
  const end = Date.now() + 20_000;
  while (readdirSync(downloads).filter((name) => /\.(png|json)$/.test(name)).length < 2) {
    if (Date.now() > end) throw new Error(`Only these were downloaded: ${readdirSync(downloads).join(", ") || "none"}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
