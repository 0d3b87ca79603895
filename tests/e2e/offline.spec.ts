import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { Desk, recordProblems } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/**
 * A day without a network: the browser is restarted while the server is away, work goes on, and all of it comes back.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [400, 300];
const FILES = Array.from({ length: 60 }, (_, i) => `image${String(i).padStart(2, "0")}`);
const problems: string[] = [];

let profile: string;
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let dataset: Awaited<ReturnType<Desk["plainDataset"]>>;

/** Starts the browser with its profile, as users do. */
async function startBrowser(): Promise<void> {
  const { launchOptions, viewport } = test.info().project.use;
  context = await chromium.launchPersistentContext(profile, {
    ...launchOptions,
    viewport: viewport ?? null,
    serviceWorkers: "allow",
  });
  page = context.pages()[0] ?? (await context.newPage());
  recordProblems(page, problems);
  desk = new Desk(page, server.url);
}

async function drawBox(): Promise<void> {
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("r");
  await desk.drag([at(100, 100), at(300, 250)]);
}

/** Expects this number of annotations in the list, whose only category may be collapsed. */
const expectBoats = (count: number) =>
  expect(page.getByRole("treeitem", { level: 1 })).toHaveAccessibleName(new RegExp(`boat \\(${count}\\)`));
const imageTitle = (name: string) => page.getByRole("application", { name: `Image ${name}.png` });
const localImage = () => expect(page.locator(".annotator-image")).toHaveAttribute("src", /^blob:/);

test.beforeAll(async () => {
  profile = mkdtempSync(join(tmpdir(), "limn-profile-"));
  server = await startLiveServer();
  await startBrowser();
  await desk.register("ada");
  dataset = await desk.plainDataset("Harbour", ["boat"], FILES, WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
  rmSync(profile, { recursive: true, force: true });
});

test("a dataset is made available offline", async () => {
  await page.goto(`${server.url}dataset/${dataset.id}`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make available" }).click();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
});

test("after a restart of the browser without a server, the lists show the copy", async () => {
  await server.stop();
  await context.close();
  await startBrowser();
  await page.goto(`${server.url}datasets`);
  await expect(page.getByRole("article", { name: "Harbour" })).toBeVisible();
  await expect(page.getByText("0 of 60 images annotated")).toBeVisible();
  await page.getByRole("article", { name: "Harbour" }).getByRole("link", { name: "Harbour" }).click();
  await expect(page.getByText("60 images, 2 pages")).toBeVisible();
  const thumbnail = page.getByRole("article", { name: "image00.png" }).locator("img");
  await expect(thumbnail).toHaveAttribute("src", /^blob:/);
  expect(
    await thumbnail.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
  ).toBeGreaterThan(0);
  await page.getByLabel("Contains").fill("image5");
  await expect(page.getByText("10 images, 1 page")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "Next page" }).first().click();
  await expect(page.getByRole("article", { name: "image59.png" })).toBeVisible();
});

test("images open without the server, and drawings survive the next image and a reload", async () => {
  await page.getByRole("article", { name: "image58.png" }).getByRole("link").first().click();
  await expect(imageTitle("image58")).toBeVisible();
  await localImage();
  await drawBox();
  await expectBoats(1);
  await page.getByRole("button", { name: "Next Image", exact: true }).click();
  await expect(imageTitle("image59")).toBeVisible();
  await expectBoats(0);
  await page.goBack();
  await expectBoats(1);
  await page.reload();
  await expect(imageTitle("image58")).toBeVisible();
  await localImage();
  await expectBoats(1);
});

test("the magic wand reads the pixels of the copy", async () => {
  await page.getByRole("button", { name: "Next Image", exact: true }).click();
  await expect(imageTitle("image59")).toBeVisible();
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("w");
  const { x, y } = at(50, 50);
  await page.mouse.click(x, y);
  // Two edits for each of both annotations: it is created, and gets its shape.
  await expect(page.getByRole("button", { name: "Offline: saved here until the server is back (4)" })).toBeVisible();
  await page.goto(`${server.url}datasets`);
  await expect(page.getByText("2 of 60 images annotated")).toBeVisible();
});

test("a category that is created offline is in every image, list and file", async () => {
  await page.goto(`${server.url}annotate/${dataset.image("image57")}`);
  await expect(imageTitle("image57")).toBeVisible();
  await page.getByRole("button", { name: "Create Category" }).click();
  const dialog = page.getByRole("dialog", { name: "Create category" });
  await dialog.getByLabel("Name").fill("buoy");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog).toHaveCount(0);
  await drawBox();
  const buoys = page.getByRole("treeitem", { name: /buoy \(1\)/ });
  await expect(buoys).toBeVisible();
  await page.reload();
  await expect(buoys).toBeVisible();
  await page.getByRole("button", { name: "Next Image", exact: true }).click();
  await expect(imageTitle("image58")).toBeVisible();
  await expect(page.getByRole("treeitem", { name: /buoy \(0\)/ })).toBeVisible();
  await page.goto(`${server.url}categories`);
  await expect(page.getByRole("article", { name: "buoy" })).toContainText("1 object");
  await page.goto(`${server.url}datasets`);
  await expect(page.getByText("3 of 60 images annotated")).toBeVisible();
});

test("when the server is back, everything is sent and the lists come from the server", async () => {
  await server.start();
  // Edits are sent in several calls.
  for (const name of ["image57", "image58", "image59"]) {
    const stored = async () => (await desk.annotations(dataset.image(name))).length;
    await expect.poll(stored).toBe(1);
  }
  const [buoy] = await desk.annotations(dataset.image("image57"));
  const categories: { id: number; name: string }[] = await desk.api("GET", "category/");
  expect(categories.find(({ id }) => id === buoy?.category_id)?.name).toBe("buoy");
  expect((await desk.api<{ categories: number[] }>("GET", `dataset/${dataset.id}`)).categories).toContain(
    buoy?.category_id,
  );
  await desk.api("POST", "dataset/", { name: "Newer" });
  await page.reload();
  await expect(page.getByRole("article", { name: "Newer" })).toBeVisible();
  await expect(page.getByText("3 of 60 images annotated")).toBeVisible();
  // The browser logs every request to the stopped server.
  expect(problems.filter((each) => !each.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
});
