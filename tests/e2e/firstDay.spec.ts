import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "../support/accessibility";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { type CocoDocument, loadPhotographs, type Photographs } from "../support/photographs";
import { specFolder } from "../support/specFolder";
import {
  addImages,
  chooseInSidebar,
  chooseTool,
  clickAt,
  createDataset,
  imageFrame,
  importCoco,
  openImageFile,
  type Point,
  register,
  waitUntilSaved,
} from "../support/userSteps";
import { WITH_MOTION } from "../support/withMotion";

test.use(WITH_MOTION);

/**
 * A new user's first day: register, create a dataset, add photographs, import a COCO file, see the outlines in place,
 * draw, undo, lose nothing when the server is killed, export, and find everything in the file.
 */
test.describe.configure({ mode: "serial" });

const folder = specFolder();
let server: LiveServer;
let material: Photographs;
let page: Page;

test.beforeAll(async ({ browser }) => {
  material = await loadPhotographs(folder);
  server = await startLiveServer({}, { isFirstStart: true });
  page = await (await browser.newContext({ acceptDownloads: true })).newPage();
});

test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

const imageOnScreen = () => page.locator(".annotator-image").boundingBox();

/** The image with the most annotations, so that shapes are drawn among others. */
const crowded = () => {
  const count = new Map<number, number>();
  for (const { image_id } of material.document.annotations) count.set(image_id, (count.get(image_id) ?? 0) + 1);
  const [id] = [...count].sort((a, b) => b[1] - a[1])[0] ?? [0];
  const image = material.document.images.find((each) => each.id === id);
  if (!image) throw new Error("no image");
  return { ...image, name: basename(image.file_name), count: count.get(id) ?? 0 };
};

test("creates the first account, and a dataset", async () => {
  await register(page, server.url);
  await createDataset(page, "First day");
});

test("uploads photographs that are dropped on the dataset", async () => {
  await addImages(page, material.files);
  await expect(page.getByRole("article")).toHaveCount(material.images);
});

test("imports a COCO file, and shows a report", async () => {
  await importCoco(page, material.coco);
  const card = page.getByRole("article", { name: crowded().name });
  await expect(card).toContainText(`${crowded().count} annotation`);
});

test("every outline covers its object, including crowds", async () => {
  const image = crowded();
  await page.keyboard.press("Escape");
  await openImageFile(page, image.name);
  const frame = await imageFrame(page, image.width, image.height);

  // The centre of a small object is painted over, and a click there selects an annotation of its category.
  const own = material.document.annotations.filter((each) => each.image_id === image.id && !each.iscrowd);
  const smallest = own.filter(({ area }) => area > 600).sort((a, b) => a.area - b.area)[0];
  if (!smallest) throw new Error("no object");
  const category = material.document.categories.find(({ id }) => id === smallest.category_id);
  const [x = 0, y = 0, w = 0, h = 0] = smallest.bbox;
  const middle = frame.at([(x + w / 2) / image.width, (y + h / 2) / image.height]);
  const painted = await pixel(middle);
  await page.getByRole("button", { name: "Hide All" }).click();
  await expect.poll(() => pixel(middle)).not.toBe(painted);
  await page.getByRole("button", { name: "Show All" }).click();
  await expect.poll(() => pixel(middle)).toBe(painted);
  await page.mouse.click(middle.x, middle.y);
  await expect(page.locator('[role="treeitem"][aria-selected="true"]')).toBeVisible();
  const expanded = page.locator('[role="treeitem"][aria-expanded="true"]', { hasText: category?.name });
  await expect(expanded).toBeVisible();
  await page.keyboard.press("Escape");
});

const triangle: Point[] = [
  [0.1, 0.15],
  [0.3, 0.15],
  [0.2, 0.4],
];

test("draws a polygon and a box by mouse, undoes and redoes them", async () => {
  const image = crowded();
  const frame = await imageFrame(page, image.width, image.height);
  const before = await annotationCount(image.name);

  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await chooseTool(page, "Polygon");
  await clickAt(page, triangle.map(frame.at));
  await page.keyboard.press("Enter");
  await waitUntilSaved(page);
  await expect.poll(() => annotationCount(image.name)).toBe(before + 1);

  await chooseTool(page, "BBox");
  await clickAt(
    page,
    (
      [
        [0.6, 0.6],
        [0.8, 0.9],
      ] as Point[]
    ).map(frame.at),
  );
  await waitUntilSaved(page);
  await expect.poll(() => annotationCount(image.name)).toBe(before + 2);

  await page.keyboard.press("Control+z");
  await expect.poll(() => annotationCount(image.name)).toBe(before + 1);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => annotationCount(image.name)).toBe(before + 2);
});

test("shows everything again after a reload", async () => {
  const image = crowded();
  const before = await annotationCount(image.name);
  await page.reload();
  await expect(page.getByLabel(`Image ${image.name}`)).toBeVisible();
  expect(await annotationCount(image.name)).toBe(before);
});

test("loses nothing that was drawn when the server is killed in the middle of drawing", async () => {
  const image = crowded();
  const before = await annotationCount(image.name);
  const frame = await imageFrame(page, image.width, image.height);
  const place = await imageOnScreen();
  await page.keyboard.press("ArrowDown");
  await chooseTool(page, "BBox");
  for (let i = 0; i < 4; i++) {
    if (i === 2) await server.kill();
    const x = 0.05 + 0.2 * i;
    await clickAt(
      page,
      (
        [
          [x, 0.05],
          [x + 0.1, 0.12],
        ] as Point[]
      ).map(frame.at),
    );
  }
  await expect(page.locator('[data-save-state="offline"], [data-save-state="saved here"]')).toBeVisible();
  await expect(page.locator('[data-kind="offline"]')).toBeVisible();
  await expect.poll(imageOnScreen, "the image does not move under the pointer").toEqual(place);
  await server.start();
  await expect(page.locator('[data-save-state="saved"]')).toBeVisible();
  expect(await annotationCount(image.name)).toBe(before + 4);
});

test("keeps unsent work through a reload while the server is unreachable", async () => {
  const image = crowded();
  const before = await annotationCount(image.name);
  const frame = await imageFrame(page, image.width, image.height);
  await server.kill();
  await page.keyboard.press("ArrowDown");
  await chooseTool(page, "BBox");
  await clickAt(
    page,
    (
      [
        [0.4, 0.5],
        [0.5, 0.58],
      ] as Point[]
    ).map(frame.at),
  );
  await expect(page.locator('[data-save-state="offline"], [data-save-state="saved here"]')).toBeVisible();
  await server.start();
  await page.reload();
  await expect(page.locator('[data-save-state="saved"]')).toBeVisible();
  await expect.poll(() => annotationCount(image.name)).toBe(before + 1);
});

test("exports everything: imported annotations number for number, and drawn ones", async () => {
  const datasetId = await dataset();
  const exported = (await (
    await page.request.get(`${server.url}api/dataset/${datasetId}/coco`)
  ).json()) as CocoDocument;
  const nameOf = ({ images }: CocoDocument, id: number) =>
    basename(images.find((each) => each.id === id)?.file_name ?? "");
  const categoryOf = ({ categories }: CocoDocument, id: number) => categories.find((each) => each.id === id)?.name;
  const key = (document: CocoDocument, each: CocoDocument["annotations"][number]) =>
    JSON.stringify([
      nameOf(document, each.image_id),
      categoryOf(document, each.category_id),
      Array.isArray(each.segmentation) ? each.segmentation : [each.segmentation?.size, each.segmentation?.counts],
      each.area,
      each.bbox,
      each.iscrowd,
    ]);
  const there = new Set(exported.annotations.map((each) => key(exported, each)));
  const missing = material.document.annotations.filter((each) => !there.has(key(material.document, each)));
  expect(missing.map(({ id }) => id)).toEqual([]);
  expect(exported.annotations).toHaveLength(material.annotations + 7);
});

test("an export task creates a file to download", async () => {
  await page.goto(`${server.url}dataset/${await dataset()}`);
  await chooseInSidebar(page, "Export COCO");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /export/i })
    .click();
  await page.getByRole("tab", { name: "Exports" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("button", { name: /download/i })
      .or(page.getByRole("link", { name: /download/i }))
      .first()
      .click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^First day-\d+\.json$/);
  const file = JSON.parse(readFileSync(await download.path(), "utf8")) as CocoDocument;
  expect(file.annotations).toHaveLength(material.annotations + 7);
});

test("creates another dataset from the COCO file and some of its images, and lists the missing images", async () => {
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const sent = material.files.slice(0, 3);
  await dialog.locator('input[type="file"]').first().setInputFiles(material.coco);
  await dialog.locator('input[type="file"][multiple]').first().setInputFiles(sent);
  await expect(dialog.getByLabel("Dataset Name")).toHaveValue(basename(material.coco, ".json"));
  await dialog.getByLabel("Dataset Name").fill("Second day");
  let letThrough = () => {};
  const isLet = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(/\/dataset\/\d+\/coco/, async (route) => {
    await isLet;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "Sending the annotations" })).toBeVisible();
  expect(await asksBeforeLeaving()).toBe(true);
  letThrough();
  const missing = `${material.images - sent.length} images named in the file were not among the added images`;
  await expect(dialog.getByText(missing)).toBeVisible();
  expect(await asksBeforeLeaving()).toBe(false);
  await expectAccessible(page, "imported dataset");
  await dialog.getByRole("button", { name: "Open dataset" }).click();
  await expect(page.getByRole("heading", { name: "Second day" })).toBeVisible();
  await page.getByRole("tab", { name: "Images" }).click();
  await expect(page.getByRole("article")).toHaveCount(sent.length);
});

/** Returns true if the page would make the browser ask before closing it now. */
const asksBeforeLeaving = () =>
  page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));

async function dataset(): Promise<number> {
  const { datasets } = await (await page.request.get(`${server.url}api/dataset/data`)).json();
  return datasets[0].id;
}

/** Returns the number of annotations from the server's API. */
async function annotationCount(fileName: string): Promise<number> {
  const query = `file_name__icontains=${encodeURIComponent(fileName)}`;
  const answer = await page.request.get(`${server.url}api/dataset/${await dataset()}/data?${query}`);
  return (await answer.json()).images[0].num_annotations;
}

/** Returns the pixel of the page at a point, as text. */
async function pixel({ x, y }: { x: number; y: number }): Promise<string> {
  return (await page.screenshot({ clip: { x: Math.round(x), y: Math.round(y), width: 1, height: 1 } })).toString(
    "base64",
  );
}
