import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import { type DextrHarness, startHarness } from "../support/dextrHarness";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { loadPhotographs } from "../support/photographs";

/** Copies of a dataset of photographs in Chromium, downloaded by the worker from the real server. */
test.describe.configure({ mode: "serial" });

const OWNER = { installation: null, userId: 1, username: "ada" };

let server: LiveServer;
let harness: DextrHarness;
let context: BrowserContext;
let desk: Desk;
let datasetId: number;
/** Hashes of the photographs by image. */
const hashes = new Map<number, string>();

test.beforeAll(async ({ browser }, { outputDir }) => {
  server = await startLiveServer();
  harness = await startHarness(server.url, "offlinePage");
  context = await browser.newContext();
  const page = await context.newPage();
  desk = new Desk(page, harness.url);
  await desk.register("ada");
  const { files } = await loadPhotographs(outputDir);
  const contents = new Map(files.map((file) => [basename(file), readFileSync(file)]));
  const dataset = await desk.dataset("photographs", ["cat"], Object.fromEntries(contents));
  datasetId = dataset.id;
  for (const [name, content] of contents)
    hashes.set(dataset.image(name), createHash("sha256").update(content).digest("hex"));
});
test.afterAll(async () => {
  await context.close();
  await harness.remove();
  await server.remove();
});

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(harness.url);
  return page;
}

const progress = (page: Page) =>
  page.evaluate((owner) => window.offlinePage.copiesOf(owner).state.getState().datasets[0], OWNER);
const isComplete = (page: Page) => expect.poll(async () => (await progress(page))?.state).toBe("complete");

test("downloads every photograph as stored, in spite of a page that is closed in between", async () => {
  const first = await openPage();
  // Slows the files down, so that the page is closed while they arrive.
  await context.route(/\/api\/image\/\d+$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await first.evaluate(
    ([owner, id]) => window.offlinePage.copiesOf(owner).choose(id, { form: "original", ids: null }),
    [OWNER, datasetId] as const,
  );
  await expect.poll(async () => (await progress(first))?.images.here ?? 0).toBeGreaterThan(3);
  const before = await progress(first);
  expect(before?.state).toBe("running");
  await first.close();
  await context.unrouteAll();

  const requested: string[] = [];
  context.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const second = await openPage();
  await isComplete(second);
  const total = hashes.size;
  expect((await progress(second))?.images).toEqual({ total, here: total });
  const files = requested.filter((path) => /\/api\/image\/\d+$/.test(path));
  expect(files.length).toBeLessThanOrEqual(total - (before?.images.here ?? 0));
  for (const [id, hash] of hashes) {
    const found = await second.evaluate(
      ([owner, id]) => window.offlinePage.hashOfFile(window.offlinePage.copiesOf(owner), id),
      [OWNER, id] as const,
    );
    expect(found).toBe(hash);
  }
});

test("waits for a stopped server and then fetches what changed", async () => {
  const page = await openPage();
  await isComplete(page);
  const [imageId] = hashes.keys();
  // Before the server stops: once it is back, the copy may be complete at once.
  const { id: category } = (await desk.scene(imageId ?? 0)).categories[0] ?? {};
  await desk.api("POST", "annotation/", { image_id: imageId, category_id: category, bbox: [1, 1, 20, 20] });
  await server.stop();
  await page.evaluate(
    ([owner, id]) => window.offlinePage.copiesOf(owner).store.datasets.update(id, { state: "waiting", syncedAt: null }),
    [OWNER, datasetId] as const,
  );
  await page.evaluate(([owner, id]) => window.offlinePage.copiesOf(owner).resume(id), [OWNER, datasetId] as const);
  await expect.poll(async () => (await progress(page))?.state).toBe("waiting");
  await server.start();
  await isComplete(page);
  await expect
    .poll(() =>
      page.evaluate(
        async ([owner, id]) => (await window.offlinePage.copiesOf(owner).store.scenes.get(id))?.annotations.length,
        [OWNER, imageId ?? 0] as const,
      ),
    )
    .toBe(1);
});
