import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { findViolations } from "../support/accessibility";
import { Desk, openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";
import { chooseInImageMenu } from "../support/userSteps";
import { WITH_MOTION } from "../support/withMotion";

test.use(WITH_MOTION);

/** Modes, settings, metadata, search and view of the annotator, by mouse and by keys. */
test.describe.configure({ mode: "serial" });

const WIDTH = 800;
const HEIGHT = 600;
const CATEGORIES = ["bird", "boat", "car", "cat", "cow", "dog", "zebra"];
const SQUARE = [100, 100, 200, 100, 200, 200, 100, 200];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let data: Awaited<ReturnType<Desk["plainDataset"]>>;
let ids: Record<string, number>;
const problems: string[] = [];

const imageFile = (name: string) => data.image(name);
const key = (keys: string) => page.keyboard.press(keys);
const bar = (name: string | RegExp) => page.getByRole("navigation", { name: "Tools" }).getByRole("button", { name });
const label = (name: string) => page.getByRole("checkbox", { name: new RegExp(`^${name}`) });
const lines = () => page.getByRole("treeitem");
const canvas = () => page.getByRole("application");

/** Returns where an element is on the page, in CSS pixels. */
const placeOf = async (element: Locator) => (await element.boundingBox())!;

async function annotate(image: string, category: string, metadata: object = {}) {
  const body = { image_id: imageFile(image), category_id: ids[category], segmentation: [SQUARE], metadata };
  return desk.api<{ id: number }>("POST", "annotation/", body);
}

async function labelsOf(image: string): Promise<string[]> {
  await desk.saved();
  const { labels } = (await desk.scene(imageFile(image))).image;
  return labels.map((id) => CATEGORIES.find((name) => ids[name] === id) ?? String(id));
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 720 } };
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  const files = ["labels", "next", "settings", "tree", "view", "years"];
  data = await desk.plainDataset("Panels", CATEGORIES, files, WIDTH, HEIGHT);
  const { categories } = await desk.scene(imageFile("labels"));
  ids = Object.fromEntries(categories.map(({ name, id }) => [name, id]));
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("label mode ticks categories for the image and does not change annotations", async () => {
  await annotate("labels", "cat");
  await desk.open(imageFile("labels"));
  await expect(bar("Mode: segment")).toBeVisible();
  await expect(bar("Polygon Tool")).toBeVisible();
  await bar("Mode: segment").click();
  await expect(bar("Mode: label")).toBeVisible();
  for (const name of ["Polygon Tool", "Select Tool", "Copy Annotations", "Show All", "Hide All"])
    await expect(bar(name)).toHaveCount(0);
  await expect(page.getByRole("tree")).toHaveCount(0);
  await expect(page.getByRole("region", { name: / options$/ })).toHaveCount(0);

  await label("dog").click();
  await label("bird").click();
  expect(await labelsOf("labels")).toEqual(["bird", "dog"]);
  await expect(label("cat")).toBeChecked();
  await label("cat").click({ force: true });
  await expect(page.getByText("cat cannot be unticked. It has an annotation on this image")).toBeVisible();
  await expect(label("cat")).toBeChecked();
  const { image } = await desk.scene(imageFile("labels"));
  expect(image.category_ids).toEqual(["bird", "cat", "dog"].map((name) => ids[name]).sort((a, b) => a! - b!));

  const before = await desk.document(imageFile("labels"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  const place = () => page.locator(".annotator-image").evaluate((element) => element.style.transform);
  const rest = await place();
  await desk.drag([at(150, 150), at(180, 190)]);
  await expect.poll(place).not.toBe(rest);
  await page.mouse.dblclick(at(150, 150).x, at(150, 150).y);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await desk.document(imageFile("labels"))).toEqual(before);
});

test("each tick is one undo step, and keys can do everything", async () => {
  await canvas().focus();
  await key("Control+z");
  await expect(label("bird")).not.toBeChecked();
  await key("Control+z");
  await expect(label("dog")).not.toBeChecked();
  await key("Control+Shift+z");
  await expect(label("dog")).toBeChecked();
  await key("ArrowDown");
  await key("Space");
  expect(await labelsOf("labels")).toEqual(["cow", "dog"]);
  await key("1");
  expect(await labelsOf("labels")).toEqual(["bird", "cow", "dog"]);
  await key("1");
  await label("zebra").focus();
  await key("Space");
  await expect(label("zebra")).toBeChecked();
  await key("ArrowDown");
  await expect(label("bird")).toBeFocused();
  await page.getByLabel("Search categories").fill("ZEB");
  await expect(page.getByRole("checkbox")).toHaveCount(1);
  await key("Escape");
  await expect(page.getByRole("checkbox")).toHaveCount(CATEGORIES.length);
  expect(await labelsOf("labels")).toContain("zebra");
});

test("the mode stays from image to image, and ticks stay when shapes are drawn again", async () => {
  await canvas().focus();
  const before = await labelsOf("labels");
  await key("n");
  await expect(page.getByLabel("Image next.png")).toBeVisible();
  await expect(bar("Mode: label")).toBeVisible();
  await key("p");
  await expect(page.getByLabel("Image labels.png")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await canvas().focus();
  await key("l");
  await expect(bar("Mode: segment")).toBeVisible();
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await key("r");
  await page.mouse.click(at(300, 300).x, at(300, 300).y);
  await page.mouse.click(at(400, 400).x, at(400, 400).y);
  await desk.saved();
  expect(await labelsOf("labels")).toEqual(before);
  await key("Control+z");
  await desk.saved();
});

test("image settings store the simplify setting, the annotate URL and metadata as typed", async () => {
  await desk.open(imageFile("settings"));
  await chooseInImageMenu(page, "Image Settings");
  const dialog = page.getByRole("dialog", { name: "Image Settings" });
  const apply = dialog.getByRole("button", { name: "Apply", exact: true });
  await expect(dialog.getByRole("textbox", { name: "Simplify" })).toBeFocused();
  await expect(dialog.getByRole("textbox", { name: "Simplify" })).toHaveValue("1");
  await dialog.getByRole("textbox", { name: "Simplify" }).fill("2.5");
  await expect(dialog.getByText("Undo Last Action")).toBeVisible();
  for (const wrong of ["12345", "ftp://here", "javascript:alert(1)"]) {
    await dialog.getByLabel("Annotate API").fill(wrong);
    await expect(dialog.getByText("Enter an http or https address")).toBeVisible();
    await expect(apply).toBeDisabled();
  }
  await dialog.getByLabel("Annotate API").fill("https://elsewhere.example/annotate");
  const values = ["12", "1.5", "TRUE", "1e3", "0x10", "12345678901234567890", "  ", "007", "left"];
  for (const [index, value] of [...values, "dropped"].entries()) {
    await dialog.getByRole("button", { name: "Add entry" }).click();
    await expect(dialog.getByLabel(`Key ${index + 1}`, { exact: true })).toBeFocused();
    if (value !== "dropped") await page.keyboard.type(`k${index}`);
    await key("Tab");
    await page.keyboard.type(value);
  }
  await dialog.getByLabel("Key 2", { exact: true }).fill("k0");
  await expect(dialog.getByText("Duplicate key")).toHaveCount(2);
  await expect(apply).toBeDisabled();
  await dialog.getByLabel("Key 2", { exact: true }).fill("k1");
  expect(await findViolations(page)).toEqual([]);
  await apply.click();
  await expect(dialog.getByText(/is not allowed/)).toBeVisible();
  expect(problems.splice(0)).toEqual([expect.stringContaining("400 (Bad Request)")]);
  await dialog.getByLabel("Annotate API").fill("http://127.0.0.1:9/annotate");
  await apply.click();
  await expect(dialog).toBeHidden();
  await expect(canvas()).toBeFocused();
  await desk.saved();
  const { image, dataset } = await desk.scene(imageFile("settings"));
  const stored = [12, 1.5, true, "1e3", "0x10", "12345678901234567890", "  ", "007", "left"];
  expect(image.metadata).toEqual(Object.fromEntries(stored.map((value, index) => [`k${index}`, value])));
  expect(dataset.annotate_url).toBe("http://127.0.0.1:9/annotate");
  // Preferences are sent a moment after the edits.
  await expect
    .poll(async () => (await desk.scene(imageFile("settings"))).preferences)
    .toMatchObject({ "settings/simplify": 2.5 });

  await key("Control+z");
  await expect.poll(async () => (await desk.scene(imageFile("settings"))).image.metadata).toEqual({});
  await key("Control+y");
  await desk.saved();
  await desk.open(imageFile("settings"));
  await chooseInImageMenu(page, "Image Settings");
  await expect(dialog.getByRole("textbox", { name: "Simplify" })).toHaveValue("2.5");
  await expect(dialog.getByLabel(/^Value \d/)).toHaveCount(stored.length);
  await apply.click();
  await expect(dialog).toBeHidden();
  await desk.saved();
  expect((await desk.scene(imageFile("settings"))).image.metadata).toEqual(image.metadata);
});

test("a user who does not own the dataset sees the annotate URL and why it cannot be changed", async ({ browser }) => {
  const other = await browser.newContext();
  const guest = new Desk(await other.newPage(), server.url);
  await guest.register("bea");
  await desk.api("POST", `dataset/${data.id}/share`, { users: ["bea"] });
  await guest.open(imageFile("settings"));
  await chooseInImageMenu(guest.page, "Image Settings");
  const field = guest.page.getByLabel("Annotate API");
  await expect(field).toHaveValue("http://127.0.0.1:9/annotate");
  await expect(field).not.toBeEditable();
  await expect(guest.page.getByText("Only the dataset's owner and maintainers can change this URL")).toBeVisible();
  await other.close();
});

test("a stroke colour is typed letter by letter; Escape closes its picker, then leaves the field", async () => {
  await desk.open(imageFile("settings"));
  await bar("BBox Tool").click({ force: true });
  await page.getByRole("switch", { name: "Auto Select Color" }).uncheck();
  const field = page.getByLabel("Stroke Color");
  await field.click();
  await key("Control+a");
  await page.keyboard.type("#12ab34");
  await expect(field).toHaveValue("#12ab34");
  await key("Escape");
  await expect(page.getByRole("slider", { name: "Hue" })).toHaveCount(0);
  await expect(field).toBeFocused();
  await key("Escape");
  await expect(canvas()).toBeFocused();
  await bar("Select Tool").click();
  await expect(field).toHaveCount(0);
  await bar("BBox Tool").click({ force: true });
  await expect(field).toHaveValue("#12ab34");
});

test("all settings of an annotation are one undo step, and the imported shape stays unchanged", async () => {
  const imported = { deep: { a: [1, null] }, code: "007", name: "first" };
  await annotate("tree", "cat", imported);
  for (let i = 0; i < 3; i++) await annotate("tree", "cat");
  await desk.open(imageFile("tree"));
  const before = await desk.document(imageFile("tree"));
  await lines().filter({ hasText: "cat" }).click();
  await lines().filter({ hasText: "first" }).click();
  await page.getByRole("tree").focus();
  await key("Enter");
  const dialog = page.getByRole("dialog", { name: /^Annotation \d+$/ });
  await expect(dialog.getByLabel("Name")).toHaveValue("first");
  await expect(dialog.getByLabel(/^Key \d/)).toHaveCount(2);
  const fixed = dialog.locator('input[readonly][aria-label^="Value"]');
  await expect(fixed).toHaveValue('{"a":[1,null]}');
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel("Name").fill("second");
  await dialog.getByLabel("Color").fill("#123456");
  await key("Tab");
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await page.keyboard.type("count");
  await key("Tab");
  await page.keyboard.type("3");
  await dialog.getByRole("combobox", { name: "Category" }).fill("dog");
  await page.getByRole("option", { name: "dog" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog).toBeHidden();
  await desk.saved();
  const changed = (await desk.document(imageFile("tree"))).find(({ category_id }) => category_id === ids.dog);
  expect(changed).toMatchObject({
    color: "#123456",
    metadata: { deep: { a: [1, null] }, code: "007", name: "second", count: 3 },
  });
  await canvas().focus();
  await key("Control+z");
  await desk.saved();
  expect(await desk.document(imageFile("tree"))).toEqual(before);

  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.mouse.dblclick(at(150, 150).x, at(150, 150).y);
  await expect(dialog).toBeVisible();
  // Pressed before the dialog takes the focus.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await key("Escape");
  await expect(dialog).toBeHidden();
  await key("F2");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await desk.saved();
  expect(await desk.annotations(imageFile("tree"))).toHaveLength(3);
  await key("Control+z");
  await desk.saved();
  expect(await desk.document(imageFile("tree"))).toEqual(before);
});

test("an annotation moves to a category of which only the first letters are typed", async () => {
  await desk.open(imageFile("tree"));
  await lines().filter({ hasText: "cat" }).click();
  await lines().filter({ hasText: "first" }).click();
  await canvas().focus();
  await key("F2");
  const dialog = page.getByRole("dialog", { name: /^Annotation \d+$/ });
  const field = dialog.getByRole("combobox", { name: "Category" });
  await field.click();
  await page.keyboard.type("xyz");
  await expect(page.getByText("No match")).toBeVisible();
  await key("Enter");
  await expect(dialog).toBeVisible();
  await key("Control+a");
  await page.keyboard.type("zeb");
  await key("Enter");
  await expect(field).toHaveValue("zebra");
  await key("Enter");
  await expect(dialog).toBeHidden();
  await desk.saved();
  const moved = (await desk.document(imageFile("tree"))).filter(({ category_id }) => category_id === ids.zebra);
  expect(moved).toMatchObject([{ metadata: { name: "first" } }]);
  await key("Control+z");
  await desk.saved();
});

test("annotations are found in the tree by number, id and name", async () => {
  await desk.open(imageFile("tree"));
  await lines().filter({ hasText: "cat" }).click();
  await canvas().focus();
  await key("/");
  const field = page.getByRole("textbox", { name: "Search categories and annotations" });
  await expect(field).toBeFocused();
  await page.keyboard.type("FIR");
  const found = page.getByRole("treeitem", { level: 2 });
  await expect(found).toHaveCount(1);
  await expect(found).toContainText("first");
  await field.fill("3");
  await expect(found.filter({ hasText: /^3/ })).toHaveCount(1);
  const { id } = (await desk.annotations(imageFile("tree"))).at(-1)!;
  await field.fill(String(id));
  await expect(found.filter({ hasText: `(id: ${id})` })).toHaveCount(1);
  await key("ArrowDown");
  await expect(page.locator('[role="treeitem"][aria-selected="true"]')).toContainText(`(id: ${id})`);
  expect(await findViolations(page)).toEqual([]);
  await key("Escape");
  await expect(found).toHaveCount(4);
  await key("Escape");
  await expect(canvas()).toBeFocused();
  await key("/");
  await page.keyboard.type("first");
  await key("Enter");
  await expect(canvas()).toBeFocused();
  await expect(page.locator('[role="treeitem"][aria-selected="true"]')).toContainText("first");
  await expect(field).toHaveValue("");
  await key("/");
  await page.keyboard.type("987654321");
  await expect(page.getByText("Nothing found for “987654321”")).toBeVisible();
  await key("Escape");
  await key("Escape");
});

test("the label picker assigns a category by name, also a new one; the palette finds commands and images", async () => {
  const status = (text: string) => expect(page.getByRole("status").getByText(text)).toBeVisible();
  await annotate("next", "cow");
  await desk.open(imageFile("next"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.mouse.click(at(150, 150).x, at(150, 150).y);
  await key("q");
  await expect(page.getByRole("combobox", { name: "Category of this annotation" })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.type("zeb");
  await key("Enter");
  await status("The annotation is now in zebra");
  await expect(canvas()).toBeFocused();
  await page.mouse.click(at(150, 150).x, at(150, 150).y, { button: "right" });
  await page.keyboard.type("kite");
  await page.getByRole("option", { name: "Create “kite”" }).click();
  await status("The annotation is now in kite");
  await desk.saved();
  const { categories } = await desk.scene(imageFile("next"));
  expect(categories.find(({ name }) => name === "kite")?.annotations).toHaveLength(1);
  await key("Escape");
  await page.getByRole("button", { name: "New annotations go to kite" }).click();
  await key("Escape");
  await expect(page.getByRole("combobox")).toHaveCount(0);

  await key("Control+k");
  await page.keyboard.type("actual fit 100");
  await expect(page.getByRole("dialog").getByText("Nothing found")).toBeVisible();
  await page.getByRole("combobox").fill("zoom 100");
  await expect(page.getByRole("option", { name: "Zoom to 100%" })).toHaveAttribute("aria-selected", "true");
  expect(await findViolations(page)).toEqual([]);
  await key("Enter");
  await expect(page.getByRole("button", { name: "Zoom 100%, zoom to 100%" })).toBeVisible();
  await key("Control+k");
  await page.keyboard.type("view.p");
  await page.getByRole("option", { name: "view.png" }).click();
  await expect(page.getByLabel("Image view.png")).toBeVisible();
  const [there] = categories.find(({ name }) => name === "kite")!.annotations;
  await key("Control+k");
  await page.getByRole("combobox").fill("999999");
  await expect(page.getByRole("dialog").getByText("Nothing found")).toBeVisible();
  await expect.poll(() => problems).toEqual([expect.stringContaining("404 (Not Found)")]);
  problems.length = 0;
  await page.getByRole("combobox").fill(`${there!.id}`);
  await page.getByRole("option", { name: `Annotation ${there!.id} on another image` }).click();
  await expect(page.getByLabel("Image next.png")).toBeVisible();
  const row = page.getByRole("treeitem", { level: 2, selected: true });
  await expect(row).toContainText(`id: ${there!.id}`);
});

test("image adjustments and shape opacity are stored in this browser only", async () => {
  await annotate("view", "cat");
  await desk.open(imageFile("view"));
  const before = await desk.scene(imageFile("view"));
  const stored = ({ image, categories }: typeof before) => ({ revision: image.revision, categories });
  const view = page.getByRole("region", { name: "Zoom and display" });
  await canvas().focus();
  await view.getByRole("button", { name: /zoom to 100%/ }).click();
  await expect(view).toContainText("100%");
  await view.getByRole("button", { name: "Zoom In" }).click();
  await expect(view).toContainText("120%");
  await key("-");
  await expect(view).toContainText("100%");
  await expect(canvas()).toBeFocused();
  await view.getByRole("button", { name: "Fit" }).click();
  await view.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("slider", { name: "Brightness" }).focus();
  await key("ArrowRight");
  await page.getByRole("slider", { name: "Contrast" }).focus();
  await key("ArrowLeft");
  await page.getByRole("slider", { name: "Shape opacity" }).focus();
  await key("End");
  const filter = () => page.locator(".annotator-image").evaluate((element) => element.style.filter);
  expect(await filter()).toBe("brightness(110%) contrast(90%)");
  expect(await findViolations(page)).toEqual([]);
  await key("Escape");
  await desk.open(imageFile("view"));
  expect(await filter()).toBe("brightness(110%) contrast(90%)");
  expect(await fillAlpha()).toBe(255);
  await view.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("button", { name: "Reset" }).click();
  expect(await filter()).toBe("none");
  // 60 % is shown as a fill of 28 %.
  await expect.poll(fillAlpha).toBe(71);
  expect(stored(await desk.scene(imageFile("view")))).toEqual(stored(before));
});

/** Returns the opacity of the unselected shape in the centre of its square, 0 to 255. */
async function fillAlpha(): Promise<number> {
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await expect.poll(() => canvas().getAttribute("data-sharp")).toBe("true");
  const { x, y } = at(150, 150);
  return page.evaluate(
    ([x, y]) => {
      const layers = [...document.querySelectorAll<HTMLCanvasElement>("canvas.annotator-layer")];
      const alphas = layers.map((layer) => {
        if (getComputedStyle(layer).visibility === "hidden") return 0;
        const box = layer.getBoundingClientRect();
        const context = layer.getContext("2d");
        const place = [
          (x - box.left) * (layer.width / box.width),
          (y - box.top) * (layer.height / box.height),
        ] as const;
        return context?.getImageData(Math.round(place[0]), Math.round(place[1]), 1, 1).data[3] ?? 0;
      });
      return Math.max(...alphas);
    },
    [x, y] as const,
  );
}

test("annotations are propagated to the next images, and removed by one command; the film strip and the number open those images", async () => {
  await annotate("settings", "cow");
  await desk.open(imageFile("settings"));
  const strip = page.getByRole("region", { name: "Images of the list" });
  const position = (text: string) => page.getByRole("button", { name: `Image ${text}, go to another number` });
  await expect(position("3 of 6")).toBeVisible();
  await canvas().focus();
  await key("Control+a");
  await key("Control+b");
  const dialog = page.getByRole("dialog", { name: "Propagate Annotations" });
  const targets = ["tree", "view"];
  const counts = () => Promise.all(targets.map(async (name) => (await desk.annotations(imageFile(name))).length));
  const [before, first] = [await counts(), await desk.annotations(imageFile("settings"))];
  // Typed and confirmed at once, before the images are loaded.
  const number = dialog.getByRole("textbox", { name: "Images" });
  await page.keyboard.type("1");
  await key("Enter");
  await expect(dialog).toBeHidden();
  await desk.saved();
  expect(await counts()).toEqual(before.map((count, i) => (i === 0 ? count + first.length : count)));
  await key("Control+z");
  await expect(page.getByText(/removed from 1 image/)).toBeVisible();
  await expect.poll(counts).toEqual(before);

  await key("Control+b");
  await expect(number).toBeFocused();
  await page.keyboard.type("2");
  await expect(dialog.getByText("on 2 of 2 images")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Propagate", exact: true }).click();
  await expect(dialog).toBeHidden();
  await desk.saved();
  expect(await counts()).toEqual(before.map((count) => count + first.length));
  await key("Control+Enter");
  await expect(canvas()).toHaveAccessibleName("Image tree.png");
  await expect(strip.getByRole("button", { name: "3 of 6, done" })).toBeVisible();
  await key("Control+k");
  await page.keyboard.type("undo the last propagation");
  await key("Enter");
  await expect(page.getByText(/removed from 2 images/)).toBeVisible();
  await desk.saved();
  expect(await counts()).toEqual(before);
  expect((await desk.scene(imageFile("settings"))).image.done).toBe(true);
  await key("Shift+I");
  await page.keyboard.type("5");
  await key("Enter");
  await expect(canvas()).toHaveAccessibleName("Image view.png");
  await strip.getByRole("button", { name: "1 of 6" }).click();
  await expect(canvas()).toHaveAccessibleName("Image labels.png");
  await key("f");
  await expect(strip).toBeHidden();
  await key("f");
  await expect(strip).toBeVisible();
});

test("on a narrow screen the image gets the space, and categories and options expand above it", async () => {
  await page.setViewportSize({ width: 375, height: 740 });
  await desk.open(imageFile("view"));
  await expect(page.getByRole("heading", { name: "view.png" })).toBeVisible();
  await expect(page.getByRole("tree")).toBeHidden();
  expect((await canvas().boundingBox())!.width).toBeGreaterThan(300);
  await page.getByRole("button", { name: "Categories and options" }).click();
  await expect(lines().filter({ hasText: "bird" })).toBeVisible();
  await page.getByRole("button", { name: "Categories and options" }).click();
  await expect(page.getByRole("tree")).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(page.getByRole("tree")).toBeVisible();
  await expect(page.getByRole("button", { name: "Categories and options" })).toBeHidden();
});

test("every part of the annotator has a name and enough contrast in both themes", async () => {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await desk.open(imageFile("tree"));
    await lines().filter({ hasText: "cat" }).click();
    expect(await findViolations(page)).toEqual([]);
    await canvas().focus();
    await key("l");
    expect(await findViolations(page)).toEqual([]);
    await key("l");
  }
  expect(problems).toEqual([]);
});

test("the history shows any moment, and puts the image or one annotation back", async () => {
  const image = imageFile("years");
  const FIRST = [500, 300, 600, 300, 600, 400, 500, 400];
  const MOVED = FIRST.map((value) => value + 50);
  // Edits of one client within a second are one step.
  const pause = () => page.waitForTimeout(1_100);
  const cat = { image_id: image, category_id: ids.cat, segmentation: [FIRST] };
  const { id } = await desk.api<{ id: number }>("POST", "annotation/", cat);
  await pause();
  await annotate("years", "dog");
  await pause();
  await desk.api("PUT", `annotation/${id}`, { segmentation: [MOVED] });
  await pause();
  await desk.api("DELETE", `annotation/${id}`);
  await desk.open(image);
  await expect(canvas()).toHaveAttribute("aria-description", /^1 annotation,/);

  await canvas().focus();
  const shown = page.locator(".annotator-image");
  await expect(shown).toBeVisible();
  const fitted = await placeOf(shown);
  await key("Shift+T");
  const panel = page.getByRole("region", { name: "History" });
  const moment = page.getByRole("img", { name: "The image at the chosen moment" });
  const steps = panel.getByRole("option");
  await expect(steps).toHaveText([/1 deleted/, /1 changed \(outline\)/, /1 created/, /1 created/]);
  await expect(moment).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);

  await key("ArrowLeft");
  await expect(steps.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(moment).toBeVisible();
  await panel.getByRole("listbox").focus();
  await key("ArrowDown");
  await expect(steps.nth(2)).toHaveAttribute("aria-selected", "true");
  expect(await findViolations(page)).toEqual([]);

  // The deleted annotation is chosen on the image and put back to where it was then.
  const before = await desk.document(image);
  const covered = await placeOf(panel);
  await expect.poll(async () => (await placeOf(shown)).x).toBeGreaterThan(covered.x + covered.width);
  const beside = await placeOf(shown);
  await page.mouse.click(beside.x + (550 / WIDTH) * beside.width, beside.y + (350 / HEIGHT) * beside.height);
  await panel.getByText("Annotation", { exact: true }).click();
  await expect(panel.getByRole("listitem")).toHaveText([/deleted/, /outline/, /created/]);
  await panel.getByRole("button", { name: `Put back only cat ${id}` }).click();
  await desk.saved();
  expect((await desk.annotations(image)).map((each) => [each.id, each.rings]).sort()).toContainEqual([id, [[FIRST]]]);
  await expect(moment).toHaveCount(0);
  await key("Control+z");
  await desk.saved();
  expect(await desk.document(image)).toEqual(before);

  // The whole image is put back to its first moment.
  await panel.getByText("Image", { exact: true }).click();
  await panel.getByRole("slider", { name: "Moment" }).focus();
  await key("Home");
  await expect(panel.getByText(/1 created/).first()).toBeVisible();
  await panel.getByRole("option").last().click();
  await panel.getByRole("button", { name: "Put the image back to this moment" }).click();
  await desk.saved();
  expect((await desk.annotations(image)).map((each) => [each.id, each.rings])).toEqual([[id, [[FIRST]]]]);
  await key("Control+z");
  await desk.saved();
  expect(await desk.document(image)).toEqual(before);
  await key("Shift+T");
  await expect(panel).toHaveCount(0);
  await expect.poll(() => placeOf(shown)).toEqual(fitted);
});
