import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import type { Translated } from "../../scripts/languages/catalogue";
import { cutTexts, expectNoViolations, overlappingTexts } from "../support/accessibility";
import { Desk } from "../support/annotatorDesk";
import { kilobytes, LATER, openAndMeasure } from "../support/downloads";
import { drawScene, renderScene, sceneCoco } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { TeamData } from "../support/teamData";
import { TestClient } from "../support/testClient";
import { textsOf } from "../support/texts";

/** Downloads of a browser without stored files: those that show the datasets page, and those after it. */
let server: LiveServer;
/** Cookies of a user who has signed in. */
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
let team: TeamData;

// Every test needs the account and its dataset, also one that is tried again on a new server.
test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  const context = await browser.newContext();
  const desk = new Desk(await context.newPage(), server.url);
  await desk.register("ada");
  for (const username of ["grace", "alan"])
    await new TestClient(server.url).post("user/register", { username, password: "correct horse" });
  const scenes = Array.from({ length: 6 }, (_, i) => drawScene(i, 240, 180));
  const files: Record<string, Buffer> = {};
  for (const scene of scenes) files[scene.fileName] = await renderScene(scene);
  const { id } = await desk.dataset("Harbour", [], files);
  // Only two, because the quality check looks at each annotation.
  await desk.importCoco(id, sceneCoco(scenes.slice(1, 3)));
  team = await TeamData.open(server.url, { owner: "ada", reviewer: "grace", annotator: "alan" }, id, scenes);
  await team.share();
  await team.findFaults([1], [2]);
  await team.review(1, 2, 3, [4]);
  await team.annotateCopies([5]);
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
  await expect(page.getByText(/^Offline since/)).toBeVisible();
  await other.close();
});

test("an outage is shown even if code for work offline could not be loaded", async ({ browser }) => {
  const other = await browser.newContext({ storageState: { cookies, origins: [] }, serviceWorkers: "block" });
  const page = await other.newPage();
  const refused: string[] = [];
  await page.route("**/assets/OfflineState-*", (route) => {
    refused.push(route.request().url());
    return route.abort();
  });
  await page.goto(`${server.url}datasets`);
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  await other.setOffline(true);
  await page.getByRole("link", { name: "Categories" }).click();
  await expect(page.getByText(/^Offline since \d\d:\d\d$/)).toBeVisible();
  await other.close();
});

/** Pages, in an order in which the page itself changes from one to the next. */
const PAGES = ["datasets", "categories", "undo", "tasks", "user", "admin/panel", "work", "comments?about=all"];
const TABS = ["Images", "Exports", "Members", "Statistics", "Quality", "Consensus", "Settings"];

const HEADINGS: Record<Translated, string> = {
  de: "Datensätze",
  es: "Conjuntos de datos",
  zh: "数据集",
  ja: "データセット",
};

for (const [language, heading] of Object.entries(HEADINGS) as [Translated, string][])
  test(`${language} stays chosen, needs less than 300 kB, cuts no text, and is accessible in both themes`, async ({
    browser,
  }) => {
    const text = textsOf(language);
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
    const check = async (what: string) => {
      await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${language}`));
      // Parts that are loading show one of these. On a busy machine the network is never idle.
      await expect(page.locator(".mantine-Skeleton-root, .mantine-Loader-root")).toHaveCount(0);
      expect.soft(await cutTexts(page), what).toEqual([]);
      expect.soft(await overlappingTexts(page), what).toEqual([]);
      await expectNoViolations(page, `${language} ${what}`);
    };
    for (const path of PAGES) {
      await goTo(page, path);
      await check(path);
    }
    await goTo(page, "dataset/1");
    for (const tab of TABS) {
      await page.getByRole("tab", { name: text(tab), exact: true }).click();
      await check(tab);
    }
    await goTo(page, `consensus/${team.imageOf(5)}`);
    await expect(
      page
        .getByRole("list", { name: text("Objects") })
        .getByRole("listitem")
        .first(),
    ).toBeVisible();
    await check("consensus");
    await goTo(page, `annotate/${team.imageOf(1)}`);
    await expect(page.getByRole("treeitem").first()).toBeVisible();
    await page
      .getByRole("region", { name: text("Comments") })
      .getByRole("button")
      .first()
      .click();
    // The mark of an unread thread is wider than its pin.
    await expect(page.locator("button[data-unread]")).toHaveCount(0);
    await check("annotator");
    await page.getByRole("application").first().focus();
    await page.keyboard.press("Shift+T");
    await expect(
      page
        .getByRole("region", { name: text("History") })
        .getByRole("option")
        .first(),
    ).toBeVisible();
    await check("history");

    const fresh = await browser.newContext({ storageState: await login.storageState() });
    const { first } = await openAndMeasure(await fresh.newPage(), `${server.url}datasets`, "main article");
    expect(kilobytes(first)).toBeLessThan(300);
    await fresh.close();
    await login.close();
  });

/** Changes to another page of the application, without loading the document again. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/${path}`);
  await expect(page).toHaveURL(new RegExp(`/${path.replace("?", "\\?")}`));
  await expect(page.getByRole("heading").first()).toBeVisible();
}
