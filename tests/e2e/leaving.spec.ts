import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";

/** Unknown addresses, and signing out. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  ({ server, context, page } = await openDesk(browser, {}, []));
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("an unknown address with a dot shows the application's page, with status 404", async () => {
  for (const path of ["foo.bar", "dataset/1.5"]) {
    const response = await page.goto(server.url + path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByText("Sorry! 404 Error")).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to datasets" })).toBeVisible();
  }
});

test("signing out clears the browser's image cache and every store of edits", async () => {
  await page.goto(`${server.url}datasets`);
  await page.evaluate(async () => {
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open("kept over log-out", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("edits").put("unsent", 1);
      opening.onsuccess = () => resolve(opening.result.close());
      opening.onerror = () => reject(opening.error);
    });
    localStorage.setItem("kept over log-out", "yes");
  });
  const status = await page.evaluate(() => fetch("api/user/logout").then((response) => response.status));
  expect(status).toBe(200);
  expect(await page.evaluate(() => fetch("api/user/").then((response) => response.status))).toBe(401);
  const kept = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("kept over log-out");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const edits = opening.result.transaction("edits").objectStore("edits").get(1);
          edits.onsuccess = () => resolve([edits.result, localStorage.getItem("kept over log-out")]);
          edits.onerror = () => reject(edits.error);
        };
      }),
  );
  expect(kept).toEqual(["unsent", "yes"]);
});
