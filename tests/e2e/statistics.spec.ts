import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectNoViolations, findViolations } from "../support/accessibility";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { loadPhotographs } from "../support/photographs";
import { specFolder } from "../support/specFolder";
import { chooseInSidebar } from "../support/userSteps";

/** The Members, Statistics and Settings tabs of the dataset page, with photographs and their annotations. */
test.describe.configure({ mode: "serial" });

const folder = specFolder();
let server: LiveServer;
let page: Page;
let desk: Desk;
let datasetId: number;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  const { files, document } = await loadPhotographs(folder);
  const chosen = files.slice(0, 6);
  const imageFiles = Object.fromEntries(chosen.map((file) => [basename(file), readFileSync(file)]));
  ({ id: datasetId } = await desk.dataset("Street", [], imageFiles));
  const images = document.images.filter(({ file_name }) => basename(file_name) in imageFiles);
  const ids = new Set(images.map(({ id }) => id));
  const annotations = document.annotations.filter(({ image_id }) => ids.has(image_id));
  const renamed = images.map((image) => ({ ...image, file_name: basename(image.file_name) }));
  await desk.importCoco(datasetId, { ...document, images: renamed, annotations });
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

const tab = (name: string) => page.getByRole("tab", { name });
const order = () => page.getByRole("tab").allInnerTexts();

test("members are listed with their group and when they were last seen", async () => {
  await page.goto(`${server.url}dataset/${datasetId}`);
  await tab("Members").click();
  const row = page.getByRole("row", { name: /ada Owner (just now|.* ago) \d{4}-\d\d-\d\d \d\d:\d\d UTC$/ });
  await expect(row).toBeVisible();
  await expectAccessible(page, "members");
});

test("statistics are counted, and a bar opens the images of its category", async () => {
  await tab("Statistics").click();
  const part = page.getByRole("region", { name: "Annotations Per Category", exact: true });
  const bar = part.getByRole("button").first();
  await expect(bar).toBeVisible();
  await expectAccessible(page, "statistics");
  const { by_category } = await desk.api<{ by_category: { name: string; annotations: number; images: number }[] }>(
    "GET",
    `dataset/${datasetId}/stats`,
  );
  const most = by_category[0];
  expect(await bar.getAttribute("aria-label")).toBe(`${most?.name}: ${most?.annotations} annotations. Show images`);
  await bar.click();
  await expect(tab("Images")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText(new RegExp(`^${most?.images} images?, 1 page$`))).toBeVisible();
});

test("axe finds no violation in open menus and lists", async () => {
  for (const name of ["Show Annotated Categories", "Order by"]) {
    await page.getByRole("combobox", { name }).or(page.getByRole("textbox", { name })).first().click();
    await expect(page.getByRole("listbox").filter({ visible: true })).toBeVisible();
    expect(await findViolations(page), name).toEqual([]);
    await page.keyboard.press("Escape");
  }
  await page
    .getByRole("button", { name: /^Menu of/ })
    .first()
    .click();
  await expect(page.getByRole("menuitem", { name: "Annotate" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Download Image & COCO" })).toBeFocused();
  await expectNoViolations(page, "menu");
  await page.keyboard.press("Escape");
});

test("tabs are reordered by keyboard and by dragging, permanently", async () => {
  await tab("Images").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(order).toEqual(["Exports", "Images", "Members", "Statistics", "Quality", "Settings"]);
  await expect(tab("Images")).toBeFocused();
  const [from, to] = [await tab("Settings").boundingBox(), await tab("Exports").boundingBox()];
  await page.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 15);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 15, { steps: 25 });
  await page.mouse.up();
  const wanted = ["Settings", "Exports", "Images", "Members", "Statistics", "Quality"];
  await expect.poll(order).toEqual(wanted);
  await tab("Settings").click();
  await page.reload();
  await expect(tab("Settings")).toHaveAttribute("aria-selected", "true");
  expect(await order()).toEqual(wanted);
});

test("the dialogs for images and files pass axe in both themes", async () => {
  const dialog = page.getByRole("dialog");
  const close = async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  };
  for (const name of ["Generate", "Export COCO"] as const) {
    await chooseInSidebar(page, name);
    await expect(dialog.getByRole("button", { name: /^(Generate|Export)$/ })).toBeVisible();
    await expectAccessible(page, name);
    await close();
  }
  const files = {
    good: '{"images": [], "categories": [{"id": 1, "name": "lamp"}], "annotations": []}',
    bad: '{"images": [1, 2',
  };
  for (const [name, text] of Object.entries(files)) {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), chooseInSidebar(page, "Import COCO")]);
    await chooser.setFiles({ name: `${name}.json`, mimeType: "application/json", buffer: Buffer.from(text) });
    await expect(dialog).toContainText(name === "good" ? "Nothing has been stored yet" : "The file cannot be imported");
    await expectAccessible(page, `import ${name}`);
    await close();
  }
});

test("metadata is reset after a confirmation", async () => {
  await desk.api("POST", `dataset/${datasetId}`, { default_annotation_metadata: { checked: false } });
  const { images } = await desk.api<{ images: { id: number }[] }>("GET", `dataset/${datasetId}/data?annotated=true`);
  const imageFile = images[0]?.id ?? 0;
  const annotation = (await desk.annotations(imageFile))[0];
  await desk.api("PUT", `annotation/${annotation?.id}`, { metadata: { name: "Tom" } });
  await page.getByRole("button", { name: "Rest All Metadata" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("cannot be undone");
  await expectAccessible(page, "settings");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await desk.annotations(imageFile))[0]?.metadata).toMatchObject({ name: "Tom" });
  await page.getByRole("button", { name: "Rest All Metadata" }).click();
  await dialog.getByRole("button", { name: "Reset" }).click();
  await expect(page.getByText("Metadata Reset")).toBeVisible();
  expect((await desk.annotations(imageFile))[0]?.metadata).toEqual({ checked: false });
});
