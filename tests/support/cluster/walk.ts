import { readFileSync } from "node:fs";
import { type Browser, expect, type Page } from "@playwright/test";
import sharp from "sharp";
import {
  addImages,
  chooseInSidebar,
  chooseTool,
  clickAt,
  createDataset,
  imageFrame,
  openImageFile,
  type Point,
} from "../userSteps";

interface Walk {
  url: string;
  username: string;
  password: string;
  /** Paths of photographs. */
  files: string[];
  dataset: string;
}

/** Milliseconds for what needs a task: a killed worker's task continues after 30 seconds. */
const TASK_MS = 300_000;
const SHAPES: readonly (readonly Point[])[] = [0.1, 0.4, 0.7].map((x) => [
  [x, 0.2],
  [x + 0.2, 0.2],
  [x + 0.1, 0.5],
]);

/**
 * Walks through Limn in a browser of its own: logs in, uploads photographs, draws, reloads, and exports. Throws if
 * anything drawn is missing after the reload or in the export.
 */
export async function walkThrough(browser: Browser, { url, username, password, files, dataset }: Walk): Promise<void> {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password", { exact: false }).first().fill(password);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible({ timeout: 120_000 });
    await createDataset(page, dataset, "thing");
    await addImages(page, files);
    await expect(page.getByRole("article")).toHaveCount(files.length, { timeout: 120_000 });
    const list = page.url();
    const name = files[0]?.split("/").at(-1) ?? "";
    await openImageFile(page, name);
    await draw(page, await sizeOf(files[0] ?? ""));
    await expect(page.getByText("Saved", { exact: true })).toBeVisible({ timeout: 120_000 });
    await page.reload();
    await expect(page.getByLabel(`Image ${name}`)).toBeVisible({ timeout: 120_000 });
    await page.goto(list);
    await expect(page.getByRole("article", { name })).toContainText(`${SHAPES.length} annotation`, {
      timeout: 120_000,
    });
    const exported = await exportCoco(page);
    if (exported.annotations.length !== SHAPES.length)
      throw new Error(`${exported.annotations.length} of ${SHAPES.length} annotations were exported`);
  } finally {
    await context.close();
  }
}

async function sizeOf(file: string) {
  const { autoOrient } = await sharp(file).metadata();
  return autoOrient;
}

async function draw(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const frame = await imageFrame(page, width, height);
  // Selects the category.
  await page.keyboard.press("ArrowDown");
  for (const shape of SHAPES) {
    await page.keyboard.press("Space");
    await chooseTool(page, "Polygon");
    await clickAt(page, shape.map(frame.at));
    await page.keyboard.press("Enter");
  }
}

async function exportCoco(page: Page): Promise<{ annotations: unknown[] }> {
  await chooseInSidebar(page, "Export COCO");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /export/i })
    .click();
  await page.getByRole("tab", { name: "Exports" }).click();
  const link = page
    .getByRole("button", { name: /download/i })
    .or(page.getByRole("link", { name: /download/i }))
    .first();
  await expect(link).toBeVisible({ timeout: TASK_MS });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return JSON.parse(readFileSync(await download.path(), "utf8"));
}
