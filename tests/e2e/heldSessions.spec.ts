import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { bandedImage, type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack } from "../support/heldBack";
import { holdUploads } from "../support/heldUploads";
import type { LiveServer } from "../support/liveServer";
import { specFolder } from "../support/specFolder";

/**
 * Users of one browser, with late responses: nothing of one user reaches the next, or is done in the next one's name.
 */
test.describe.configure({ mode: "serial" });

const PASSWORD = "correct horse";
/** More than one request can have. */
const MANY = 21;
const folder = specFolder();
let server: LiveServer;
let admin: BrowserContext;
let desk: Desk;
let context: BrowserContext;
let page: Page;

const accountOf = (name: string) => page.getByRole("button", { name: `Account of ${name}` });
const ours = { headers: { "X-Requested-With": "fetch" } };

async function logIn(name: string) {
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Replaces the cookie, without a word to the page. */
async function replaceCookie(name: string) {
  const data = { username: name, password: PASSWORD };
  expect((await page.request.post(`${server.url}api/user/login`, { ...ours, data })).ok()).toBe(true);
}

/** Logs in as another tab does: the page has the new cookie at once, and notices a change of the stored session. */
async function logInElsewhere(name: string) {
  await replaceCookie(name);
  await page.evaluate(() => window.dispatchEvent(new StorageEvent("storage", { key: "limn.user" })));
  await expect(accountOf(name)).toBeVisible();
}

test.beforeAll(async ({ browser }) => {
  ({ server, context: admin, desk } = await openDesk(browser, {}, []));
  for (const username of ["bob", "carol"]) await desk.api("POST", "admin/user/", { username, password: PASSWORD });
});
test.beforeEach(async ({ browser }) => {
  context = await browser.newContext();
  page = await context.newPage();
});
test.afterEach(() => context.close());
test.afterAll(async () => {
  await admin.close();
  await server.remove();
});

test("a login that was replaced by another one changes nothing", async () => {
  await page.goto(`${server.url}auth`);
  const first = await holdBack(page, { method: "POST", path: /^user\/login$/ });
  await logIn("bob");
  await first.arrived;
  await page.getByRole("tab", { name: "Register" }).click();
  await page.getByRole("tab", { name: "Login" }).click();
  await logIn("carol");
  await expect(accountOf("carol")).toBeVisible();
  await first.release();
  await page.reload();
  await expect(accountOf("carol")).toBeVisible();
});

test("after a login in another tab, nothing of the previous user is shown", async () => {
  await page.goto(`${server.url}auth`);
  await logIn("carol");
  await expect(accountOf("carol")).toBeVisible();
  await page.request.post(`${server.url}api/dataset/`, { ...ours, data: { name: "Own" } });
  await page.reload();
  await expect(page.getByRole("article", { name: "Own" })).toBeVisible();
  const list = await holdBack(page, { path: /^dataset\/data$/ });
  await logInElsewhere("bob");
  await list.arrived;
  await expect(page.getByRole("article")).toHaveCount(0);
  await list.release();
  await expect(page.getByText("You need to create a dataset!")).toBeVisible();
});

test("a page that still shows the previous user does nothing in the next user's name", async () => {
  await page.goto(`${server.url}auth`);
  await logIn("carol");
  await expect(accountOf("carol")).toBeVisible();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByLabel("Dataset Name").fill("By carol");
  await replaceCookie("bob");
  await page.getByRole("button", { name: "Create Dataset" }).click();
  await expect(accountOf("bob")).toBeVisible();
  await expect(page.getByText("You need to create a dataset!")).toBeVisible();
  const { datasets } = await (await page.request.get(`${server.url}api/dataset/data`)).json();
  expect(datasets).toEqual([]);
});

test("uploads end with their user's session, and the next user does not see them", async () => {
  const { id } = await desk.api<{ id: number }>("POST", "dataset/", { name: "Shared" });
  await desk.api("POST", `dataset/${id}/share`, { add: ["bob", "carol"] });
  const names = Array.from({ length: MANY }, (_, n) => join(folder, `${n}.png`));
  for (const [n, name] of names.entries()) writeFileSync(name, await bandedImage(40 + n, 30));
  const uploads = await holdUploads(server.url, /dataset\/\d+\/upload/);
  await page.goto(`${uploads.url}auth?redirect=/dataset/${id}`);
  await logIn("carol");
  await page.locator("input[type=file][multiple]:not([webkitdirectory])").first().setInputFiles(names);
  await uploads.arrived;
  const sent: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/upload") && sent.push(request.url())));
  await logInElsewhere("bob");
  uploads.release();
  await expect(page.getByRole("status", { name: "Uploads" })).toHaveCount(0);
  await expect(page.getByText("20 images, 1 page")).toBeVisible();
  expect(sent).toEqual([]);
  await uploads.close();
});
