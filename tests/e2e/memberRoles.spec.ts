import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { Desk, openDesk, recordProblems } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";

/** Roles of members: an owner gives them, and the open pages of a viewer follow. */
test.describe.configure({ mode: "serial" });

const READ_ONLY = "You can look at this dataset but not change it.";
const WIDTH = 800;
const HEIGHT = 600;
const SQUARE = [100, 100, 300, 100, 300, 300, 100, 300];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let data: Awaited<ReturnType<Desk["plainDataset"]>>;
let category: number;
let other: BrowserContext;
let vera: Desk;
const problems: string[] = [];

const tools = (of: Page) => of.getByRole("navigation", { name: "Tools" }).getByRole("button", { name: / Tool$/ });
const role = (name: string) => page.getByRole("combobox", { name: `Role of ${name}` });
const image = () => data.image("one");

async function choose(name: string, chosen: string): Promise<void> {
  await role(name).click();
  await page.getByRole("option", { name: new RegExp(`^${chosen}`) }).click();
}

async function openSharing(): Promise<void> {
  await page.goto(`${server.url}dataset/${data.id}`);
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
}

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, problems));
  data = await desk.plainDataset("Team", ["shape"], ["one"], WIDTH, HEIGHT);
  category = (await desk.scene(image())).categories[0]!.id;
  other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  vera = new Desk(await other.newPage(), server.url);
  recordProblems(vera.page, problems);
  await vera.register("vera");
});

test.afterAll(async () => {
  await other.close();
  await context.close();
  await server.remove();
});

test("the form for sharing has no roles without members, and a member is added as a viewer", async () => {
  await openSharing();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByRole("group", { name: "Roles" })).toHaveCount(0);
  await page.getByRole("dialog").getByRole("combobox", { name: "Users" }).fill("vera");
  await page.keyboard.press("Enter");
  await expect(role("vera")).toHaveValue("Annotator");
  await role("vera").click();
  await expect(page.getByRole("option", { name: "Viewer looks at everything and changes nothing" })).toBeVisible();
  await page.getByRole("option", { name: /^Viewer/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(page.getByRole("row", { name: /vera/ })).toContainText("Viewer");
});

test("a viewer's dataset page has no commands that change something", async () => {
  await vera.page.goto(`${server.url}dataset/${data.id}`);
  await expect(vera.page.getByRole("article", { name: "one.png" })).toBeVisible();
  for (const name of ["Add images", "Import / export"])
    await expect(vera.page.getByRole("button", { name })).toHaveCount(0);
});

test("a viewer's annotator says that it is read-only, has no drawing tools, and shows the owner's new shape", async () => {
  await vera.open(image());
  await expect(vera.page.getByText(READ_ONLY)).toBeVisible();
  await expect(tools(vera.page)).toHaveCount(1);
  await expect(vera.page.getByRole("button", { name: /^New annotations go to/ })).toHaveCount(0);
  await vera.page.keyboard.press("p");
  await vera.page.keyboard.press("b");
  const { at } = await vera.fit(WIDTH, HEIGHT);
  await vera.drag([at(400, 350), at(500, 450)]);
  await desk.api("POST", "annotation/", { image_id: image(), category_id: category, segmentation: [SQUARE] });
  await expect(vera.page.getByRole("treeitem", { name: "shape (1)" })).toBeVisible();
  expect(await desk.annotations(image())).toHaveLength(1);
});

test("the open page of a viewer becomes editable when the owner makes the viewer an annotator", async () => {
  await openSharing();
  await expect(role("vera")).toHaveValue("Viewer");
  await choose("vera", "Annotator");
  await page.getByRole("dialog").getByRole("button", { name: "Share", exact: true }).click();
  await expect(vera.page.getByText("You can change this dataset now.")).toBeVisible();
  await expect(vera.page.getByText(READ_ONLY)).toHaveCount(0);
  await expect(tools(vera.page)).not.toHaveCount(1);
  await vera.page.getByRole("button", { name: "BBox Tool" }).click({ force: true });
  const { at } = await vera.fit(WIDTH, HEIGHT);
  await vera.drag([at(400, 350), at(500, 450)]);
  await vera.saved();
  await expect.poll(async () => (await desk.annotations(image())).length).toBe(2);
  expect(problems).toEqual([]);
});

test("what a page draws as its user becomes a viewer is kept with the reason, and sent after a promotion", async () => {
  await other.setOffline(true);
  await vera.page.keyboard.press("Delete");
  await desk.api("POST", `dataset/${data.id}/share`, { roles: { vera: "viewer" } });
  await other.setOffline(false);
  const conflicts = vera.page.getByRole("button", { name: "Resolve" });
  await expect(conflicts).toBeVisible();
  await expect(vera.page.getByText(READ_ONLY).first()).toBeVisible();
  expect(await desk.annotations(image())).toHaveLength(2);
  await conflicts.click();
  await expect(vera.page.getByRole("dialog").getByText(READ_ONLY)).toBeVisible();
  await desk.api("POST", `dataset/${data.id}/share`, { roles: { vera: "annotator" } });
  await expect(vera.page.getByText("You can change this dataset now.")).toBeVisible();
  await vera.page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
  await expect.poll(async () => (await desk.annotations(image())).length).toBe(1);
});

test("a member leaves the dataset and no longer sees it; the owner cannot leave", async () => {
  const address = `${server.url}dataset/${data.id}`;
  await page.goto(address);
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(page.getByRole("cell", { name: "vera", exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Leave dataset" })).toBeHidden();
  await vera.page.goto(address);
  await vera.page.getByRole("tab", { name: "Members" }).click();
  await vera.page.getByRole("button", { name: "Leave dataset" }).click();
  await vera.page.getByRole("dialog").getByRole("button", { name: "Leave", exact: true }).click();
  await expect(vera.page).toHaveURL(/\/datasets$/);
  await expect(vera.page.getByText("You are no longer a member of the dataset.")).toBeVisible();
  await page.reload();
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(page.getByRole("cell", { name: "Owner" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "vera", exact: true })).toHaveCount(0);
});
