import { expect, type Locator, type Page } from "@playwright/test";

/** Steps of a user in Limn, in the user's words. Points are fractions of the image's width and height, 0 to 1. */
export type Point = readonly [x: number, y: number];

const PASSWORD = "correct horse";

export async function register(page: Page, url: string, username = "ada"): Promise<void> {
  await page.goto(url);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
  await page.getByLabel("Confirm Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
}

/** With `category`, the dataset has that one, which may be new. */
export async function createDataset(page: Page, name: string, category?: string): Promise<void> {
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByLabel(/dataset name/i).fill(name);
  if (category) {
    await page.getByRole("dialog").getByRole("combobox", { name: "Default Categories" }).fill(category);
    await page.keyboard.press("Enter");
  }
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /create/i })
    .click();
  // If a process dies in the middle, its command is done again after ten seconds.
  await expect(page.getByText("No images found in directory.")).toBeVisible({ timeout: 120_000 });
}

/** Chooses files, which has the same effect as dropping them, and waits until all are uploaded. */
export async function addImages(page: Page, files: string[]): Promise<void> {
  await page.locator('input[type="file"][multiple]').first().setInputFiles(files);
  await expect(page.getByText(`${files.length} added`)).toBeVisible({ timeout: 120_000 });
}

/** Runs a COCO file through a dry run, imports it and waits for the report. */
export async function importCoco(page: Page, file: string): Promise<void> {
  await page.getByLabel("COCO file").setInputFiles(file);
  await expect(page.getByText("Will be created").first()).toBeVisible({ timeout: 120_000 });
  await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText(/undo import/i)).toBeVisible({ timeout: 120_000 });
}

export async function openImageFile(page: Page, fileName: string): Promise<void> {
  await page.getByRole("article", { name: fileName }).getByRole("link").first().click();
  await expect(page.getByLabel(`Image ${fileName}`)).toBeVisible();
  await expect(page.getByRole("tree")).toBeVisible();
}

/** Clicks a tool with force: tools that create an annotation first are announced as disabled, but work. */
export const chooseTool = (page: Page, name: string): Promise<void> => toolButton(page, name).click({ force: true });

export const toolButton = (page: Page, name: string): Locator => page.getByRole("button", { name: `${name} Tool` });

/** Returns the image's place on the screen when fitted (spec: 95 % of the width, 80 % of the height). */
export async function imageFrame(page: Page, width: number, height: number) {
  // The image is hidden until it is loaded.
  await expect(page.locator(".annotator-image")).toBeVisible();
  await page.keyboard.press("c");
  // The image is painted less sharply while the view moves, so that pixels differ.
  await expect(page.locator('.annotator-canvas[data-sharp="true"]')).toBeVisible();
  await expect(page.locator(".annotator-image")).toHaveCSS("will-change", "auto");
  const box = await page.getByRole("application", { name: /^Image / }).boundingBox();
  if (!box) throw new Error("no canvas");
  const zoom = Math.min((box.width / width) * 0.95, (box.height / height) * 0.8);
  const left = box.x + (box.width - width * zoom) / 2;
  const top = box.y + (box.height - height * zoom) / 2;
  return { zoom, at: ([x, y]: Point) => ({ x: left + x * width * zoom, y: top + y * height * zoom }) };
}

export async function clickAt(page: Page, points: readonly { x: number; y: number }[]): Promise<void> {
  for (const { x, y } of points) {
    await page.mouse.move(x, y, { steps: 3 });
    await page.mouse.click(x, y);
  }
}

/** Waits until the server has stored everything. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
}

/** Entries of the menus in a dataset's sidebar, and the menu that has each. */
const SIDEBAR_MENUS = {
  "Upload images": "Add images",
  "Upload folder": "Add images",
  Generate: "Add images",
  Scan: "Add images",
  "Import COCO": "Import / export",
  "Export COCO": "Import / export",
} as const;

/** Opens the menu of a dataset's sidebar that has this entry. Returns the entry, which may be absent. */
export async function openSidebarMenu(page: Page, entry: keyof typeof SIDEBAR_MENUS): Promise<Locator> {
  await page.getByRole("button", { name: SIDEBAR_MENUS[entry] }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  return page.getByRole("menuitem", { name: entry, exact: true });
}

/** Chooses an entry of a menu in a dataset's sidebar. */
export async function chooseInSidebar(page: Page, entry: keyof typeof SIDEBAR_MENUS): Promise<void> {
  await (await openSidebarMenu(page, entry)).click();
}

/** Chooses an entry of the menu below the annotator's tools. */
export async function chooseInImageMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Image Menu" }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}
