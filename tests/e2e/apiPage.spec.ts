import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { calls } from "../../shared/api";
import { findViolations } from "../support/accessibility";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/** The API page in a browser that can reach no other server. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let token: string;
const outside: string[] = [];
const problems: string[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  context = await browser.newContext();
  const post = (path: string, data: object) =>
    context.request.post(`${server.url}api/${path}`, { data }).then((answer) => answer.json());
  await post("user/register", { username: "ada", password: "correct horse" });
  token = (await post("user/tokens", { name: "page" })).secret;
  await post("dataset/", { name: "Harbour" });
  await context.route("**", (route) => {
    if (new URL(route.request().url()).hostname === "127.0.0.1") return route.continue();
    outside.push(route.request().url());
    return route.abort();
  });
  page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(`${server.url}api`);
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

const operation = (id: string) => page.locator(`[id$="-${id}"]`);

/** Opens a call, fills in its inputs, and returns the status and body that the page shows. */
async function tryOut(id: string, inputs: Record<string, string> = {}): Promise<{ status: string; body: string }> {
  const block = operation(id);
  const isOpen = (await block.getAttribute("class"))?.includes("is-open");
  if (!isOpen) await block.locator(".opblock-summary-control").click();
  const begin = block.getByRole("button", { name: "Try it out" });
  if (await begin.isVisible()) await begin.click();
  for (const [name, value] of Object.entries(inputs))
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  // Clears an earlier response, so that it is not mistaken for this one.
  const clear = block.getByRole("button", { name: "Clear", exact: true });
  if (await clear.isVisible()) await clear.click();
  await block.getByRole("button", { name: "Execute" }).click();
  const answer = block.locator(".live-responses-table .response");
  await expect(answer.locator(".response-col_status")).toContainText(/\d/);
  return {
    status: (await answer.locator(".response-col_status").innerText()).trim(),
    body: await answer.locator(".response-col_description").innerText(),
  };
}

test("shows every call with its input, output and errors", async () => {
  const groups = page.locator(".opblock-tag");
  await expect(groups.first()).toBeVisible();
  let shown = 0;
  for (const group of await groups.all()) {
    await group.click();
    await expect(page.locator(".opblock").first()).toBeVisible();
    shown += await page.locator(".opblock").count();
    await group.click();
    await expect(page.locator(".opblock")).toHaveCount(0);
  }
  expect(shown).toBe(calls.length);
  for (const name of ["user", "image", "dataset"]) await groups.and(page.locator(`[data-tag="${name}"]`)).click();
  await expect(page.getByRole("region", { name: "About the API" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  const upload = operation("postImage");
  await upload.locator(".opblock-summary-control").click();
  await expect(upload.getByText("Add one image to a dataset")).toBeVisible();
  await expect(upload.locator("option", { hasText: "multipart/form-data" })).toBeAttached();
  for (const text of ["The input is not valid", "No user is logged in", "larger than allowed"])
    await expect(upload.getByText(text)).toBeVisible();
});

test("tries calls with the session, including one that writes", async () => {
  expect((await tryOut("getUser")).body).toContain('"username": "ada"');
  expect(await tryOut("getDatasetIdScan", { id: "1" })).toMatchObject({ status: "200" });
});

test("tries calls with a token, which are refused without credentials", async () => {
  await context.clearCookies();
  expect((await tryOut("getUser")).status).toBe("401");
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  const dialog = page.locator(".auth-container", { hasText: "bearer" });
  await dialog.getByLabel("auth-bearer-value").fill(token);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  expect((await tryOut("getUser")).body).toContain('"username": "ada"');
});

test("sends no request to another server", async () => {
  expect(outside).toEqual([]);
  expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([]);
});

test("follows the dark theme that the user chose, and leads back to Limn", async () => {
  await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
  await page.reload();
  await page.locator(".opblock-tag[data-tag=user]").click();
  await expect(page.locator(".opblock").first()).toBeVisible();
  await expect(page.locator("html")).toHaveClass(/dark-mode/);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to Limn" }).click();
  await expect(page).toHaveURL(new RegExp(`^${server.url}`));
  await expect(page.getByRole("button", { name: "Login", exact: true })).toBeVisible();
});
