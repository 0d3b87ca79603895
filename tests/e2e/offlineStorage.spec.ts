import { type BrowserContext, type CDPSession, expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { fillStorage } from "../support/fillStorage";
import type { LiveServer } from "../support/liveServer";

/**
 * A browser whose storage is full, is cleared under the page, or is refused, e.g. in a private window: each time one
 * clear message, and what is there can still be used.
 */
test.describe.configure({ mode: "serial" });

const COUNT = 24;
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let storage: CDPSession;
let datasetId: number;

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { serviceWorkers: "allow" }, []));
  // Noise cannot be compressed: about 600 kB each.
  const files = await Promise.all(
    Array.from({ length: COUNT }, async (_, i) => [`${String(i).padStart(2, "0")}.png`, await noise(i)] as const),
  );
  ({ id: datasetId } = await desk.dataset("Noise", ["cat"], Object.fromEntries(files)));
  storage = await context.newCDPSession(page);
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

function noise(seed: number): Promise<Buffer> {
  const [width, height] = [500, 400];
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed + 1;
  for (let i = 0; i < pixels.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[i] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const origin = () => new URL(server.url).origin;
const setRoom = (quotaSize?: number) =>
  storage.send("Storage.overrideQuotaForOrigin", { origin: origin(), ...(quotaSize !== undefined && { quotaSize }) });
const usage = async () => (await storage.send("Storage.getUsageAndQuota", { origin: origin() })).usage;

async function openDialog(): Promise<ReturnType<Page["getByRole"]>> {
  await page.goto(`${server.url}dataset/${datasetId}`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  return page.getByRole("dialog");
}

const FULL = "The browser's storage is full: free space on this device, choose fewer images or the display size";

test("full storage is reported, and images that have arrived can be used", async () => {
  const dialog = await openDialog();
  await expect(dialog.getByText(`${COUNT} images, about`)).toBeVisible();
  await fillStorage(page, () => setRoom(1));
  await setRoom((await usage()) + 7_000_000);
  await dialog.getByRole("button", { name: "Make available" }).click();
  await expect(dialog.getByText(FULL, { exact: false })).toBeVisible();
  await expect(dialog.getByText(new RegExp(`^\\d+ of ${COUNT} images`))).toBeVisible();
  await page.keyboard.press("Escape");
  await context.setOffline(true);
  await expect(page.getByText(/^Offline since/)).toBeVisible();
  const absent = page.getByRole("article").filter({ hasText: "Not available offline" });
  await expect(absent.first()).toBeVisible();
  expect(await absent.count()).toBeLessThan(COUNT);
  await page.getByRole("article").filter({ hasNotText: "Not available offline" }).getByRole("link").first().click();
  await expect(page.locator(".annotator-image")).toHaveAttribute("src", /^blob:/);
  await context.setOffline(false);
});

test("with space again, another try completes the copy", async () => {
  await setRoom();
  const dialog = await openDialog();
  const tryAgain = dialog.getByRole("button", { name: "Try again" });
  const complete = dialog.getByText("Available offline", { exact: true });
  // The return of the network may have been another try, which takes the button away.
  await expect(async () => {
    if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 1_000 });
    await expect(complete).toBeVisible({ timeout: 10_000 });
  }).toPass();
});

test("storage that is deleted under the page is reported, and works again after a reload", async () => {
  const dialog = await openDialog();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
  await storage.send("Storage.clearDataForOrigin", { origin: origin(), storageTypes: "indexeddb" });
  const report = dialog.getByText("The browser has deleted or closed this page's storage. Reload the page.");
  // If nothing was reading at that moment, the page has already opened the storage again, and finds it empty.
  await expect(report.or(dialog.getByRole("button", { name: "Make available" }))).toBeVisible();
  const again = await openDialog();
  await again.getByRole("radio", { name: "The next images of the list" }).check();
  await again.getByLabel("Number of images").fill("2");
  await again.getByRole("button", { name: "Make available" }).click();
  await expect(again.getByText("Available offline", { exact: true })).toBeVisible();
});

test("the dialog and the settings report that the browser refuses storage", async () => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });
  const dialog = await openDialog();
  const reason = "This browser does not let the page store data, perhaps because this is a private window";
  await expect(dialog.getByText(reason, { exact: false })).toBeVisible();
  await page.goto(`${server.url}user`);
  await expect(page.getByText(reason, { exact: false })).toBeVisible();
});
