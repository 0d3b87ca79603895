import { type BrowserContext, expect, test } from "@playwright/test";
import { cutTexts, expectNoViolations } from "../support/accessibility";
import { kilobytes, LATER, openAndMeasure } from "../support/downloads";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { createDataset, register } from "../support/userSteps";

/** Downloads of a browser without stored files: those that show the datasets page, and those after it. */
let server: LiveServer;
/** Cookies of a user who has signed in. */
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;

// Every test needs the account and its dataset, also one that is tried again on a new server.
test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  const context = await browser.newContext();
  const home = await context.newPage();
  await register(home, server.url);
  await createDataset(home, "Harbour");
  cookies = await context.cookies();
  await context.close();
});
test.afterAll(() => server.remove());

test("the datasets page needs less than 300 kB, and code for work offline follows", async ({ browser }) => {
  const other = await browser.newContext({ storageState: { cookies, origins: [] } });
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
  await other.close();
});

/** Pages with most of the texts, and a dataset's page. */
const PAGES = ["datasets", "dataset/1", "dataset/1?tab=settings", "categories", "undo", "tasks", "user", "admin/panel"];

for (const [language, heading] of Object.entries({
  de: "Datensätze",
  es: "Conjuntos de datos",
  zh: "数据集",
  ja: "データセット",
}))
  test(`${language} stays chosen, needs less than 300 kB, cuts no text, and is accessible in both themes`, async ({
    browser,
  }) => {
    const login = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await login.newPage();
    await page.goto(server.url);
    await page.getByLabel("Username").fill("ada");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
    await page.goto(`${server.url}user`);
    await page.getByLabel("Language").selectOption(language);
    await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${language}`));
    await page.goto(`${server.url}datasets`);
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    for (const path of PAGES) {
      await page.goto(server.url + path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${language}`));
      // Parts that are loading show one of these. On a busy machine the network is never idle.
      await expect(page.locator(".mantine-Skeleton-root, .mantine-Loader-root")).toHaveCount(0, { timeout: 30_000 });
      expect(await cutTexts(page), path).toEqual([]);
      await expectNoViolations(page, path);
    }

    const fresh = await browser.newContext({ storageState: await login.storageState() });
    const { first } = await openAndMeasure(await fresh.newPage(), `${server.url}datasets`, "main article");
    expect(kilobytes(first)).toBeLessThan(300);
    await fresh.close();
    await login.close();
  });
