import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";

/** Drawing on one image after another, without choosing the tool again, and outlines that are dropped half-way. */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [400, 300];
const problems: string[] = [];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let data: Awaited<ReturnType<Desk["plainDataset"]>>;

const image = (name: string) => page.getByRole("application", { name: `Image ${name}.png` });
const tool = (name: string) => page.getByRole("button", { name: `${name} Tool`, exact: true });

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 720 } }, problems));
  data = await desk.plainDataset("Street", ["car"], ["a", "b", "c"], WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("the box tool stays from image to image, and writes nothing on images that are only passed", async () => {
  await desk.open(data.image("a"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("r");
  await desk.drag([at(50, 50), at(150, 150)]);
  await page.keyboard.press("n");
  await expect(image("b")).toBeVisible();
  await expect(tool("BBox")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("New annotation of car")).toBeVisible();
  await page.keyboard.press("n");
  await expect(image("c")).toBeVisible();
  const there = await desk.fit(WIDTH, HEIGHT);
  await desk.drag([there.at(60, 60), there.at(160, 120)]);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("This is the last image of the list")).toBeVisible();
  await desk.saved();
  const stored = await Promise.all(["a", "b", "c"].map((name) => desk.annotations(data.image(name))));
  expect(stored.map((annotations) => annotations.map(({ bbox }) => bbox))).toEqual([
    [[50, 50, 100, 100]],
    [],
    [[60, 60, 100, 60]],
  ]);
});

test("an image that is opened from the dataset begins with Select, and Escape leaves a tool that stayed", async () => {
  await page.keyboard.press("p");
  await expect(image("b")).toBeVisible();
  await expect(tool("BBox")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await expect(tool("Select")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("r");
  await page.getByRole("link", { name: "Street" }).click();
  await page.getByRole("link", { name: "c.png" }).first().click();
  await expect(image("c")).toBeVisible();
  await expect(tool("Select")).toHaveAttribute("aria-pressed", "true");
});

test("an outline that another key discards comes back with undo, and can be finished", async () => {
  await desk.open(data.image("b"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("v");
  for (const { x, y } of [at(50, 50), at(150, 50), at(150, 150)]) await page.mouse.click(x, y);
  await page.keyboard.press("r");
  await expect(page.getByText("Unfinished outline discarded. Undo restores it.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Undo \(Last Action: Polygon/ })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(tool("Polygon")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await desk.saved();
  const [drawn] = await desk.annotations(data.image("b"));
  for (const [i, side] of [50, 50, 100, 100].entries()) expect(Math.abs(drawn!.bbox[i]! - side)).toBeLessThan(2);
});

test("no page has reported an error", () => {
  expect(problems).toEqual([]);
});
