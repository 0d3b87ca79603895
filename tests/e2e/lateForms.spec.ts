import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";
import { chooseInImageMenu } from "../support/userSteps";

/**
 * Forms whose response arrives after the user has moved on: it affects that form and the data, nothing else on the
 * screen.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [800, 600];
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["plainDataset"]>>;
const problems: string[] = [];

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, problems));
  images = await desk.plainDataset("Late", ["car"], ["a", "b", "c"], WIDTH, HEIGHT);
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("an image is not deleted when the dialog is cancelled while the save is in flight", async () => {
  await desk.open(images.image("a"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  const save = await holdBack(page, { method: "POST", path: /^annotator\/edits$/ });
  await page.keyboard.press("r");
  await desk.drag([at(100, 100), at(300, 250)]);
  await save.arrived;
  await chooseInImageMenu(page, "Delete Image");
  await dialog("Delete image").getByRole("button", { name: "Delete" }).click();
  await dialog("Delete image").getByRole("button", { name: "Cancel" }).click();
  await save.release();
  await desk.saved();
  await expect(dialog("Delete image")).toHaveCount(0);
  expect(await desk.annotations(images.image("a"))).toHaveLength(1);
  await expect(page).toHaveURL(new RegExp(`/annotate/${images.image("a")}$`));
});

test("a deletion in flight can no longer be cancelled, and opens the next image", async () => {
  const deletion = await holdBack(page, { method: "DELETE", path: /^image\/\d+$/ });
  await chooseInImageMenu(page, "Delete Image");
  await dialog("Delete image").getByRole("button", { name: "Delete" }).click();
  await deletion.arrived;
  await expect(dialog("Delete image").getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog("Delete image")).toBeVisible();
  await deletion.release();
  await expect(page).toHaveURL(new RegExp(`/annotate/${images.image("b")}`));
});

test("a deletion whose page was left is reported", async () => {
  await page.goto(`${server.url}dataset/${images.id}`);
  await page.getByRole("article", { name: "c.png" }).getByRole("link").first().click();
  await expect(page.getByLabel("Image c.png")).toBeVisible();
  const deletion = await holdBack(page, { method: "DELETE", path: /^image\/\d+$/ });
  await chooseInImageMenu(page, "Delete Image");
  await dialog("Delete image").getByRole("button", { name: "Delete" }).click();
  await deletion.arrived;
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Late" })).toBeVisible();
  await deletion.release();
  await expect(page.getByRole("alert").filter({ hasText: "c.png is in the trash." })).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`/dataset/${images.id}$`));
});

test("the Conflicts page does not report edits as stored that are still being sent", async () => {
  await desk.open(images.image("b"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  const edits = { method: "POST", path: /^annotator\/edits$/, after: "request" } as const;
  const save = await holdBack(page, edits);
  await page.keyboard.press("r");
  await desk.drag([at(100, 100), at(300, 250)]);
  await save.arrived;
  // The next page sends the edits again.
  const again = await holdBack(page, edits);
  await page.goto(`${server.url}conflicts`);
  await again.arrived;
  await expect(page.getByText("Changes made in this browser are still being sent.")).toBeVisible();
  await save.release();
  await again.release();
  await expect(page.getByText("All changes made in this browser have been stored.")).toBeVisible();
});

test("a category created after its dialog was left changes neither the tool nor the open dialog", async () => {
  await desk.open(images.image("b"));
  const creation = await holdBack(page, { method: "POST", path: /^category\/$/ });
  await page.getByRole("button", { name: "Create category" }).first().click();
  await dialog("Create category").getByLabel("Name").fill("lamp");
  await dialog("Create category").getByRole("button", { name: "Create" }).click();
  await creation.arrived;
  await page.keyboard.press("Escape");
  await expect(dialog("Create category")).toHaveCount(0);
  await page.getByRole("button", { name: "Create category" }).first().click();
  await dialog("Create category").getByLabel("Name").fill("half a na");
  await creation.release();
  await expect(page.getByText("“lamp” was added to the dataset.")).toBeVisible();
  await expect(dialog("Create category").getByLabel("Name")).toHaveValue("half a na");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("treeitem", { name: /lamp/ })).toBeVisible();
});

test("a form on the Categories page stays open when the response to an earlier form arrives", async () => {
  await page.goto(`${server.url}categories`);
  const creation = await holdBack(page, { method: "POST", path: /^category\/$/ });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const form = dialog("Creating a Category");
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("first");
  await form.getByRole("button", { name: "Create Category" }).click();
  await creation.arrived;
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("second");
  await creation.release();
  await expect(page.getByRole("article", { name: "first" })).toHaveCount(1);
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("second");
  await form.getByRole("button", { name: "Create Category" }).click();
  await expect(page.getByRole("article", { name: "second" })).toBeVisible();
});

test("a partly typed known name is asked about as soon as the known names are loaded", async () => {
  await desk.api("POST", "category/", { name: "kind 0001" });
  const names = await holdBack(page, { path: /^category\/$/ });
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const form = dialog("Creating a Dataset");
  await form.getByLabel("Dataset Name").fill("Stall");
  const field = form.getByRole("combobox", { name: "Default Categories" });
  await names.arrived;
  await field.fill("kin");
  await field.press("Tab");
  await expect(form.getByText("Loading suggestions…")).toBeVisible();
  await form.getByRole("button", { name: "Create Dataset" }).click();
  await expect(form).toBeVisible();
  await names.release();
  await expect(form.getByText("Press Enter to create the new category “kin”, or clear the field.")).toBeVisible();
});
