import { expect, test } from "@playwright/test";
import { kilobytes, LATER, openAndMeasure } from "../support/downloads";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { createDataset, register } from "../support/userSteps";

/** Downloads of a browser without stored files: those that show the datasets page, and those after it. */
let server: LiveServer;

test.beforeAll(async () => {
  server = await startLiveServer();
});
test.afterAll(() => server.remove());

test("the datasets page needs less than 300 kB, and code for work offline follows", async ({ browser }) => {
  const context = await browser.newContext();
  const home = await context.newPage();
  await register(home, server.url);
  await createDataset(home, "Harbour");
  const other = await browser.newContext({ storageState: { cookies: await context.cookies(), origins: [] } });
  const page = await other.newPage();
  const refused: string[] = [];
  await page.exposeFunction("noteRefused", (what: string) => refused.push(what));
  await page.addInitScript(() => {
    const noteRefused: unknown = Reflect.get(window, "noteRefused");
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      if (typeof noteRefused === "function") noteRefused(`${violatedDirective} ${blockedURI}`);
    });
  });

  const { first, later } = await openAndMeasure(page, `${server.url}datasets`, "main article");
  expect(first.map(({ url }) => url)).toContainEqual(expect.stringContaining("/libraries-"));
  expect(kilobytes(first)).toBeLessThan(300);
  expect(first.length).toBeLessThan(15);
  for (const name of LATER) expect(later.map(({ url }) => url)).toContainEqual(expect.stringContaining(`/${name}-`));

  // Each would be an error on the console.
  expect(refused).toEqual([]);

  // The network goes away right after that: what works without it still does, although there is no service worker.
  await other.setOffline(true);
  await page.getByRole("button", { name: "Menu of Harbour" }).click();
  await page.getByRole("menuitem", { name: "Available offline…" }).click();
  await expect(page.getByRole("dialog", { name: "Available offline: Harbour" })).toBeVisible();
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 20_000 });
  await context.close();
  await other.close();
});
