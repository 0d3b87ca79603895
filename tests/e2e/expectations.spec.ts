import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { countStored } from "../support/countStored";
import type { LiveServer } from "../support/liveServer";

/** Expectations of every user: of the list, of undo, and of an image that was opened without the server. */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [400, 300];
const problems: string[] = [];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let data: Awaited<ReturnType<Desk["plainDataset"]>>;

const image = (name: string) => page.getByRole("application", { name: `Image ${name}.png` });
const next = () => page.getByRole("button", { name: "Next Image", exact: true });

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 720 }, serviceWorkers: "allow" } as const;
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  data = await desk.plainDataset("Street", ["car"], ["a", "b", "c"], WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("a row highlights its shape when the pointer comes from the image", async () => {
  await desk.open(data.image("a"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("r");
  await desk.drag([at(50, 50), at(150, 150)]);
  await page.keyboard.press("Escape");
  const row = page.getByRole("treeitem", { level: 2 });
  const { x, y } = (await row.boundingBox())!;
  await page.mouse.move(at(300, 200).x, at(300, 200).y);
  await page.mouse.move(x + 40, y + 5);
  await expect(row).toHaveAttribute("data-hovered");
  await desk.saved();
});

test("after another page has deleted an annotation, Ctrl+Z undoes the user's own last step", async () => {
  const [first] = await desk.annotations(data.image("a"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("r");
  await desk.drag([at(200, 50), at(300, 150)]);
  await desk.saved();
  await desk.api("DELETE", `annotation/${first!.id}`);
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect.poll(() => desk.annotations(data.image("a"))).toEqual([]);
});

test("an image that was opened without the server leads on to the whole list when the server is back", async () => {
  await desk.open(data.image("b"));
  await expect.poll(() => countStored(page, "files")).toBe(2);
  await page.keyboard.press("p");
  await expect(image("a")).toBeVisible();
  await server.stop();
  await expect(page.getByText(/^Offline since/)).toBeVisible();
  await page.keyboard.press("n");
  await expect(image("b")).toBeVisible();
  await expect(next()).toHaveAttribute("aria-disabled", "true");
  const strip = page.getByRole("region", { name: "Images of the list" });
  await expect(strip.getByRole("button", { name: /^2 of 2/ })).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("n");
  await expect(page.getByText("This is the last image of the list in this browser")).toBeVisible();
  await page.keyboard.press("Shift+I");
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This image is not in this browser.", { exact: false })).toBeVisible();
  await server.start();
  await expect(next()).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("n");
  await expect(image("c")).toBeVisible();
});
