import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "../support/accessibility";
import { drawScene, renderScene } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { specFolder } from "../support/specFolder";
import { addImages, createDataset, openSidebarMenu, register } from "../support/userSteps";

/** Copies for work without a network as users see them: choice, progress, state in the bar, disabled commands. */
test.describe.configure({ mode: "serial" });

const COUNT = 6;
const NEEDS_SERVER = "Not available offline: this needs the server.";
const folder = specFolder();
let server: LiveServer;
let page: Page;
/** A page with an image whose next image is not in this browser, opened before the server goes away. */
let last: Page;
/** A page with an image that is not in this browser. */
let absent: Page;

const button = (name: string) => page.getByRole("button", { name, exact: true });

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  page = await (await browser.newContext({ serviceWorkers: "allow" })).newPage();
  await register(page, server.url);
  await createDataset(page, "Street");
  const files = await Promise.all(
    Array.from({ length: COUNT }, async (_, i) => {
      const path = join(folder, `${i}.jpg`);
      writeFileSync(path, await renderScene(drawScene(i)));
      return path;
    }),
  );
  await addImages(page, files);
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

test("the dialog shows the size of a choice, and then the copy's progress and state", async () => {
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = page.getByRole("dialog", { name: "Available offline: Street" });
  await expect(dialog.getByText(`${COUNT} images, about`)).toBeVisible();
  await expect(dialog.getByRole("radio", { name: /The current filter/ })).toHaveCount(0);
  await dialog.getByRole("radio", { name: "The next images of the list" }).check();
  await dialog.getByLabel("Number of images").fill("4");
  await expect(dialog.getByText("4 images, about")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Make available" }).click();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^4 images, /).first()).toBeVisible();
  await expect(dialog.getByText(/Last synced \d\d:\d\d/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary").getByRole("img", { name: "Available offline" })).toBeVisible();
});

test("a filter can be chosen, and changing the choice downloads what is missing", async () => {
  await page.getByLabel("Contains").fill("1");
  await expect(page.getByText("1 image, 1 page")).toBeVisible();
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(dialog.getByRole("radio", { name: "The 4 images chosen before" })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: "The current filter: 1 image" })).toBeVisible();
  await dialog.getByRole("radio", { name: "Display size" }).check();
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(dialog.getByText("4 images, display size", { exact: false })).toBeVisible();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByText(`${COUNT} images, 1 page`)).toBeVisible();
});

test("while the server is away, the navigation bar says so, commands are disabled, and absent images cannot be opened", async () => {
  // Pages that were not opened yet come from the service worker.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  last = await page.context().newPage();
  await last.goto(`${server.url}annotate/4`);
  await expect(last.getByRole("application", { name: "Image 3.jpg" })).toBeVisible();
  await server.stop();
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  const message = page.getByText(/^Offline since \d\d:\d\d · No changes pending · Last synced \d\d:\d\d$/);
  await expect(message).toBeVisible();
  const scan = await openSidebarMenu(page, "Scan");
  await expect(scan).toHaveAttribute("aria-disabled", "true");
  await expect(scan).toHaveAccessibleDescription(NEEDS_SERVER);
  await scan.hover();
  await expect(page.getByRole("tooltip").filter({ hasText: NEEDS_SERVER })).toBeVisible();
  await scan.focus();
  await page.keyboard.press("Enter");
  await expect(scan).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("article").filter({ hasText: "Not available offline" })).toHaveCount(2);
  await expect(page.getByRole("article", { name: "5.jpg" }).getByRole("link")).toHaveCount(0);
  await expect(page.getByRole("article", { name: "0.jpg" }).getByRole("link")).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Menu of 5.jpg" }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
});

test("pages without data in this browser say that they need the server", async () => {
  for (const [name, title] of [
    ["Undo", "Undo"],
    ["Admin", "Users"],
  ] as const) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expect(page.getByText("Not available offline", { exact: true })).toBeVisible();
  }
});

test("next refuses an image that is not in this browser and stays; opened by its address, it waits", async () => {
  await last.evaluate(() => window.dispatchEvent(new Event("offline")));
  await expect(last.getByText(/^Offline since/)).toBeVisible();
  await last.keyboard.press("n");
  await expect(last.getByText("This image is not in this browser.", { exact: false })).toBeVisible();
  await expect(last.getByRole("application", { name: "Image 3.jpg" })).toBeVisible();
  await last.close();
  absent = await page.context().newPage();
  await absent.goto(`${server.url}annotate/6`);
  await expect(
    absent.getByText("It loads automatically as soon as the server can be reached.", { exact: false }),
  ).toBeVisible();
});

test("removing a copy asks while the server is away", async () => {
  await page.getByRole("button", { name: "Account of ada" }).click();
  await page.getByRole("menuitem", { name: "User Settings" }).click();
  const row = page.getByRole("row", { name: /Street/ });
  await expect(row.getByRole("cell", { name: "Available offline" })).toBeVisible();
  await expect(button("Change Password")).toHaveAccessibleDescription(NEEDS_SERVER);
  await expectAccessible(page);
  await row.getByRole("button").click();
  await expect(page.getByRole("dialog", { name: "Remove the offline copy?" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
});

test("when the server is back, the message disappears, and a copy is removed without a question", async () => {
  await server.start();
  await expect(page.getByText(/^Offline since/)).toHaveCount(0);
  await expect(button("Change Password")).not.toHaveAttribute("aria-disabled");
  await expect(page.getByText("Back online")).toHaveCount(0);
  await expect(absent.getByRole("application", { name: "Image 5.jpg" })).toBeVisible();
  await absent.close();
  await page
    .getByRole("row", { name: /Street/ })
    .getByRole("button")
    .click();
  await expect(page.getByText("No dataset is available offline.", { exact: false })).toBeVisible();
  await page.getByLabel("Recently opened images").fill("0");
  await page.getByLabel("Recently opened images").press("Enter");
  await expect(page.getByText("Opened images are not kept")).toBeVisible();
  await page.goto(`${server.url}last/dataset`);
  await expect(page).toHaveURL(/dataset\/1$/);
});
