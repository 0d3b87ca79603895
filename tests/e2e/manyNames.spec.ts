import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/** A dataset with as many categories as LVIS, and with many folders: fields list some of them, and find the others. */
test.describe.configure({ mode: "serial" });

const CATEGORIES = 1203;
const FOLDERS = 120;
const LAST = "kind 1202";

let server: LiveServer;
let page: Page;
let desk: Desk;
let datasetId: number;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  const image = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#508040" } })
    .png()
    .toBuffer();
  const names = Array.from({ length: CATEGORIES }, (_, n) => `kind ${String(n).padStart(4, "0")}`);
  ({ id: datasetId } = await desk.dataset("Shop", names, { "a.png": image, "b.png": image }));
  for (let n = 0; n < FOLDERS; n++) {
    const folder = join(server.dataDir, "datasets", "Shop", `shelf ${n}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "image.png"), image);
  }
  await desk.api("GET", `dataset/${datasetId}/scan`);
  await expect
    .poll(async () => (await desk.api<{ total: number }>("GET", `dataset/${datasetId}/data`)).total)
    .toBe(FOLDERS + 2);
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

test("filters stay reachable below many folders, and find a category among many", async () => {
  await page.goto(`${server.url}dataset/${datasetId}`);
  const folders = page.getByRole("navigation", { name: "Subdirectories" });
  await expect(folders.getByRole("button")).toHaveCount(FOLDERS);
  const { height } = (await folders.boundingBox())!;
  expect(height).toBeLessThan(450);

  const field = page.getByRole("combobox", { name: "Show Annotated Categories" });
  await field.click();
  await expect(page.getByRole("option", { name: "kind 0000" })).toBeVisible();
  expect(await page.getByRole("option").count()).toBeLessThan(CATEGORIES / 2);
  await field.fill("1202");
  await page.getByRole("option", { name: LAST }).click();
  await expect(page).toHaveURL(/categor/);
  await page.getByRole("button", { name: "Clear filters" }).click();
});

test("finds and removes one default category among many", async () => {
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Menu of Shop" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Shop" });
  const field = dialog.getByRole("combobox", { name: "Default Categories" });
  await field.fill("1202");
  await expect(dialog).toContainText(`1 of ${CATEGORIES.toLocaleString("en")} are shown`);
  await dialog.locator(".mantine-Pill-remove").click();
  await expect(dialog).toContainText(`0 of ${(CATEGORIES - 1).toLocaleString("en")} are shown`);
  // The search text does not become a new category.
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const { categories } = await desk.api<{ categories: number[] }>("GET", `dataset/${datasetId}`);
  expect(categories).toHaveLength(CATEGORIES - 1);
});

test("accepts a known category name as typed in a new dataset, and asks about a partial one", async () => {
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Creating a Dataset" });
  await dialog.getByLabel("Dataset Name").fill("Stall");
  const field = dialog.getByRole("combobox", { name: "Default Categories" });
  const create = dialog.getByRole("button", { name: "Create Dataset" });
  await field.fill("kin");
  await field.press("Tab");
  await expect(dialog.getByText("Press Enter to create the new category “kin”, or clear the field.")).toBeVisible();
  await create.click();
  await expect(dialog).toBeVisible();
  await field.fill("KIND 0001");
  await create.click();
  await expect(page.getByRole("heading", { name: "Stall" })).toBeVisible();
  const [, id] = /dataset\/(\d+)/.exec(page.url()) ?? [];
  const { categories } = await desk.api<{ categories: { name: string }[] }>("GET", `dataset/${id}/data`);
  expect(categories.map(({ name }) => name)).toEqual(["kind 0001"]);
});
