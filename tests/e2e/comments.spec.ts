import { type Browser, expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/accessibility";
import { drawScene, renderScene } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/** Two users comment on an image: one begins offline, the other sees it live, replies and resolves. */
test.describe.configure({ mode: "serial" });

const HEADERS = { "X-Requested-With": "x" };

let server: LiveServer;
let ann: Page;
let bob: Page;
let dataset: number;
let image: number;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  ann = await newUser(browser, "ann");
  bob = await newUser(browser, "bob");
  const data = { name: "Fields", categories: ["house"] };
  dataset = (await (await ann.request.post(`${server.url}api/dataset/`, { data, headers: HEADERS })).json()).id;
  await ann.request.post(`${server.url}api/dataset/${dataset}/share`, { data: { users: ["bob"] }, headers: HEADERS });
  const buffer = await renderScene(drawScene(5, 480, 320));
  const file = { name: "field.png", mimeType: "image/png", buffer };
  const multipart = { image: file, dataset_id: String(dataset) };
  image = await (await ann.request.post(`${server.url}api/image/`, { multipart, headers: HEADERS })).json();
});
test.afterAll(async () => {
  await ann?.context().close();
  await bob?.context().close();
  await server?.remove();
});

async function newUser(browser: Browser, username: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const data = { username, password: "correct horse" };
  expect((await page.request.post(`${server.url}api/user/register`, { data, headers: HEADERS })).ok()).toBe(true);
  return page;
}

const canvas = (page: Page) => page.getByRole("application", { name: "Image field.png" });
const pin = (page: Page) => page.getByRole("button", { name: /^Thread 1/ });
const thread = (page: Page) => page.getByRole("region", { name: "Thread 1" });

test("without comments the annotator has one more button, and no pin, list or badge", async () => {
  await ann.goto(`${server.url}annotate/${image}`);
  await expect(canvas(ann)).toBeVisible();
  await expect(ann.getByRole("button", { name: "Comment", exact: true })).toBeVisible();
  await expect(ann.getByRole("region", { name: "Comments" })).toBeHidden();
});

test("a comment that is written offline is shown to the other user once it is sent", async () => {
  await bob.goto(`${server.url}annotate/${image}`);
  await expect(canvas(bob)).toBeVisible();
  await ann.context().setOffline(true);
  await canvas(ann).focus();
  await ann.keyboard.press("y");
  const cover = ann.getByRole("application", { name: "Place of the comment" });
  await cover.click({ position: { x: 200, y: 200 } });
  const field = ann.getByRole("textbox", { name: "Comment" });
  await field.pressSequentially("Is this a @b");
  await ann.getByRole("option", { name: "bob" }).click();
  await field.pressSequentially("house? <b>v</b>");
  await expect(ann.getByRole("button", { name: "Brush" })).not.toHaveAttribute("aria-pressed", "true");
  await ann.keyboard.press("Control+Enter");
  await expect(thread(ann)).toContainText("Is this a @bob house? <b>v</b>");
  await expect(pin(bob)).toBeHidden();
  await ann.context().setOffline(false);
  await expect(pin(bob)).toBeVisible();
  await expect(pin(bob)).toHaveAccessibleName("Thread 1, 1 comment, unread");
});

test("the other user reads it, replies and resolves it, and the first one sees that live", async () => {
  await pin(bob).click();
  await expect(thread(bob)).toContainText("Is this a @bob house? <b>v</b>");
  await expect(pin(bob)).toHaveAccessibleName("Thread 1, 1 comment");
  await bob.getByRole("textbox", { name: "Reply" }).fill("No, a barn.");
  await bob.getByRole("button", { name: "Reply" }).click();
  await expect(thread(ann)).toContainText("No, a barn.");
  expect(await findViolations(bob)).toEqual([]);
  await bob.getByRole("button", { name: "Resolve" }).click();
  await expect(pin(bob)).toBeHidden();
  await expect(thread(ann)).toContainText("Resolved by bob");
  await ann.keyboard.press("Escape");
  await expect(pin(ann)).toBeHidden();
  await ann.getByRole("checkbox", { name: "Show 1 resolved" }).check();
  await expect(pin(ann)).toBeVisible();
});

test("a draft is kept when the thread is closed, and undo does not take a comment back", async () => {
  await pin(ann).click();
  await ann.getByRole("textbox", { name: "Reply" }).fill("Half a thou");
  await ann.keyboard.press("Escape");
  await expect(thread(ann)).toBeHidden();
  await expect(ann.getByRole("button", { name: "Nothing to undo" })).toBeVisible();
  await ann.keyboard.press("Control+z");
  await pin(ann).click();
  await expect(thread(ann)).toContainText("No, a barn.");
  await expect(ann.getByRole("textbox", { name: "Reply" })).toHaveValue("Half a thou");
  await ann.keyboard.press("Control+a");
  await ann.keyboard.press("Delete");
});

test("the author changes and deletes a comment, and restores it", async () => {
  await ann.getByRole("button", { name: "Comment of ann" }).click();
  await ann.getByRole("menuitem", { name: "Edit" }).click();
  await ann.getByRole("textbox", { name: "Edit comment" }).fill("Is this a shed?");
  await ann.getByRole("button", { name: "Save", exact: true }).last().click();
  await expect(thread(ann)).toContainText("Is this a shed?");
  await expect(thread(ann)).toContainText("edited");
  await ann.getByRole("button", { name: "Comment of ann" }).click();
  await ann.getByRole("menuitem", { name: "Delete" }).click();
  await expect(thread(ann)).not.toContainText("Is this a shed?");
  await expect(thread(ann)).toContainText("No, a barn.");
  await ann.getByRole("button", { name: "Restore" }).click();
  await expect(thread(ann)).toContainText("Is this a shed?");
});

test("the list and the address of a comment open its thread", async () => {
  await ann.keyboard.press("Escape");
  const list = ann.getByRole("region", { name: "Comments" });
  await list.getByRole("button", { name: /shed/ }).click();
  await expect(thread(ann)).toBeVisible();
  const { comments } = await (await ann.request.get(`${server.url}api/image/${image}/comments`)).json();
  await bob.goto(`${server.url}annotate/${image}#comment=${comments[1].uuid}`);
  await bob.reload();
  await expect(thread(bob)).toBeVisible();
});

test("a mention is counted at the top while the other user is elsewhere, and leads to the pin", async () => {
  await bob.goto(`${server.url}datasets`);
  const badge = bob.getByRole("link", { name: "1 unread comment" });
  await expect(bob.getByRole("link", { name: "Datasets" })).toBeVisible();
  await expect(badge).toBeHidden();
  await ann.getByRole("button", { name: "Reopen" }).click();
  await ann.getByRole("textbox", { name: "Reply" }).fill("@bob, please look again.");
  await ann.keyboard.press("Control+Enter");
  await expect(badge).toBeVisible();
  await badge.click();
  await expect(bob.getByRole("heading", { name: "Comments" })).toBeVisible();
  expect(await findViolations(bob)).toEqual([]);
  await bob.getByRole("link", { name: /please look again/ }).click();
  await expect(thread(bob)).toContainText("@bob, please look again.");
  await expect(badge).toBeHidden();
});

test("the dataset page shows the number of open threads, and lists only such images", async () => {
  await bob.goto(`${server.url}dataset/${dataset}`);
  const card = bob.getByRole("article", { name: "field.png" });
  await expect(card).toContainText("1 open thread");
  await bob.getByRole("checkbox", { name: "Only with Open Comments" }).check();
  await expect(bob.getByRole("button", { name: "Remove the filter Open comments" })).toBeVisible();
  await expect(card).toBeVisible();
});
