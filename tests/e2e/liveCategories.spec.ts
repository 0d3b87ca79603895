import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { Desk, openDesk, recordProblems } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";

/** Categories that the owner changes while an annotator has an image of the dataset open. */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [800, 600];

let server: LiveServer;
let context: BrowserContext;
let bobsContext: BrowserContext;
/** The owner's page. */
let ada: Page;
/** The annotator's page. */
let bob: Page;
let adasDesk: Desk;
let desk: Desk;
let dataset: Awaited<ReturnType<Desk["plainDataset"]>>;
const problems: string[] = [];

const category = (name: string) => bob.getByRole("treeitem", { level: 1, name: new RegExp(`^${name} \\(`) });
const newIn = (name: string) => bob.getByRole("button", { name: `New annotations go to ${name}` });

test.beforeAll(async ({ browser }) => {
  ({ server, context, page: ada, desk: adasDesk } = await openDesk(browser, {}, problems));
  dataset = await adasDesk.plainDataset("Streets", ["car", "dog"], ["a", "b"], WIDTH, HEIGHT);
  bobsContext = await browser.newContext();
  bob = await bobsContext.newPage();
  recordProblems(bob, problems);
  desk = new Desk(bob, server.url);
  await desk.register("bob");
  await adasDesk.api("POST", `dataset/${dataset.id}/share`, { add: ["bob"] });
  await desk.open(dataset.image("a"));
  await desk.saved();
  await expect(category("car")).toBeVisible();
});
test.afterAll(async () => {
  await context.close();
  await bobsContext.close();
  await server.remove();
});
test.afterEach(() => expect(problems).toEqual([]));

async function openForm(name: string): Promise<void> {
  await ada.goto(`${server.url}categories`);
  await ada.getByRole("button", { name: `Menu of ${name}` }).click();
  await ada.getByRole("menuitem", { name: "Edit" }).click();
}

test("a category that the owner adds is shown at once, beside an outline that is being drawn", async () => {
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await bob.keyboard.press("v");
  for (const [x, y] of [
    [100, 100],
    [300, 100],
    [300, 250],
  ] as const)
    await bob.mouse.click(at(x, y).x, at(x, y).y);
  await adasDesk.api("POST", `dataset/${dataset.id}`, { add_categories: ["boat"] });
  await expect(category("boat")).toBeVisible();
  await bob.mouse.click(at(100, 250).x, at(100, 250).y);
  await bob.keyboard.press("Enter");
  await expect(category("car")).toHaveAccessibleName(/^car \(1\)/);
  await desk.saved();
  expect((await desk.rings(dataset.image("a")))[0]?.[0]).toHaveLength(8);
});

test("a category that the owner renames has its new name at once", async () => {
  await openForm("car");
  const name = ada.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true });
  await name.fill("lorry");
  await ada.getByRole("dialog").getByRole("button", { name: "Update" }).click();
  await expect(category("lorry")).toBeVisible();
  await expect(category("car")).toHaveCount(0);
});

test("after the category in use was deleted, the user is told, and the next box is not drawn in another one", async () => {
  await bob.keyboard.press("Escape");
  await category("dog").click();
  await bob.keyboard.press("r");
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await desk.drag([at(400, 100), at(500, 200)]);
  await desk.saved();
  await bob.keyboard.press("n");
  await expect(bob.getByRole("application", { name: "Image b" })).toBeVisible();
  await expect(newIn("dog")).toBeVisible();
  const { categories } = await desk.scene(dataset.image("b"));
  await adasDesk.api("DELETE", `category/${categories.find(({ name }) => name === "dog")?.id}`);
  await expect(bob.getByText("The category “dog” was deleted or removed from the dataset.")).toBeVisible();
  await expect(category("dog")).toHaveCount(0);
  await expect(newIn("boat").or(newIn("lorry"))).toBeVisible();
  await desk.drag([at(400, 100), at(500, 200)]);
  await bob.keyboard.press("Control+s");
  await desk.saved();
  expect(await desk.annotations(dataset.image("b"))).toEqual([]);
});

test("a deleted category stays on an image that has annotations of it", async () => {
  await desk.open(dataset.image("a"));
  await expect(category("dog")).toHaveAccessibleName(/^dog \(1\)/);
});
