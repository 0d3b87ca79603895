import { expect, type Page, test } from "@playwright/test";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { type NewFiles, startNewFiles } from "../support/newFiles";
import { chooseInSidebar, createDataset, register } from "../support/userSteps";

/** A new version is published while a user works: activating it loses neither typed text nor a command in flight. */
test.use({ serviceWorkers: "allow" });

let server: LiveServer;
let files: NewFiles;

test.beforeAll(async () => {
  server = await startLiveServer();
  files = await startNewFiles(server.url);
});
test.afterAll(async () => {
  await files.close();
  await server.remove();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** Marks the page until it is reloaded. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isOld: true }));
const isOld = (page: Page) => page.evaluate(() => "isOld" in window);
const states = (page: Page) =>
  page.evaluate(async () => (await (await fetch("api/tasks/")).json()).map(({ state }: { state: string }) => state));

test("a new version waits for a command in flight, and asks before typed text is lost", async ({ page }) => {
  await register(page, files.url);
  await createDataset(page, "Holidays");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  files.publish();
  const isWaiting = () =>
    page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting?.state));
  await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
  await expect.poll(isWaiting).toBe(true);
  // Each page that loads offers a waiting version.
  await page.reload();
  await expect(page.getByText("A new version is ready.")).toBeVisible();
  await mark(page);

  const scan = files.hold(/\/api\/dataset\/1\/scan/);
  await chooseInSidebar(page, "Scan");
  await scan.arrived;
  await button(page, "Reload now").click();
  await expect(page.getByText("It will load as soon as the server has responded.")).toBeVisible();
  await page.getByRole("button", { name: "Account of ada" }).click();
  await page.getByRole("menuitem", { name: "User Settings" }).click();
  await page.getByLabel("Current Password").fill("half a pass");
  scan.release();
  await expect(page.getByText("What you have typed is not saved yet")).toBeVisible();
  expect(await isOld(page)).toBe(true);
  await expect(page.getByLabel("Current Password")).toHaveValue("half a pass");
  expect(await states(page)).toHaveLength(1);

  await page.getByLabel("Current Password").fill("");
  await button(page, "Reload anyway").click();
  await expect.poll(() => isOld(page).catch(() => true)).toBe(false);
  await expect(page.getByText("A new version is ready.")).toHaveCount(0);
});
