import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { failOnce } from "../support/failing";
import { holdBack } from "../support/heldBack";
import { holdUploads } from "../support/heldUploads";
import { upright } from "../support/images";
import type { LiveServer } from "../support/liveServer";
import { specFolder } from "../support/specFolder";

/** Cancelling a running import stops it, or reports that it had already finished. */
test.describe.configure({ mode: "serial" });

/** Enough for an import to take longer than a call. */
const MANY = 30_000;

const folder = specFolder();
const [imageFile, few, many] = ["a.png", "few.json", "many.json"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
interface Seen {
  id: number;
  group: string;
  state: string;
}
/** Returns the imports of annotations, the newest last. */
const imports = async () =>
  (await desk.api<Seen[]>("GET", "tasks/")).filter(({ group }) => group === "Annotation Import");
const annotations = async (datasetId: number) =>
  (await desk.api<{ images: { num_annotations: number }[] }>("GET", `dataset/${datasetId}/data`)).images[0]
    ?.num_annotations;

function coco(count: number) {
  const box = (n: number) => [n % 30, n % 17, 4, 3];
  const annotation = (n: number) => ({ id: n + 1, image_id: 1, category_id: 1, bbox: box(n), area: 12, iscrowd: 0 });
  return JSON.stringify({
    images: [{ id: 1, file_name: "a.png", width: 40, height: 20 }],
    categories: [{ id: 1, name: "kite" }],
    annotations: Array.from({ length: count }, (_, n) => annotation(n)),
  });
}

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, []));
  const image = await upright().png().toBuffer();
  writeFileSync(imageFile, image);
  writeFileSync(few, coco(8));
  writeFileSync(many, coco(MANY));
  await desk.dataset("Kites", [], { "a.png": image });
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

async function tryOut(file: string) {
  await page.goto(`${server.url}dataset/1`);
  await page.getByLabel("COCO file").setInputFiles(file);
  await expect(page.getByText("Will be created").first()).toBeVisible();
}

test("an import that is cancelled before its task is known is cancelled as soon as the task is known", async () => {
  await tryOut(many);
  const start = await holdBack(page, { method: "POST", path: /^dataset\/1\/coco\/\d+$/, after: "request" });
  await dialog(/^Import/)
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await start.arrived;
  await dialog(/^Import/)
    .getByRole("button", { name: "Cancel" })
    .click();
  await expect(dialog(/^Import/)).toHaveCount(0);
  await start.release();
  await expect(toast("The import is being cancelled.")).toBeVisible();
  await expect.poll(async () => (await imports()).at(-1)?.state).toBe("cancelled");
  await expect.poll(() => annotations(1)).toBe(0);
});

test("an import that finished before it could be cancelled is reported as finished and can be undone", async () => {
  await tryOut(few);
  const start = await holdBack(page, { method: "POST", path: /^dataset\/1\/coco\/\d+$/ });
  await dialog(/^Import/)
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await start.arrived;
  await dialog(/^Import/)
    .getByRole("button", { name: "Cancel" })
    .click();
  await expect.poll(async () => (await imports()).at(-1)?.state).toBe("done");
  await start.release();
  await expect(toast("The import finished before it could be cancelled. You can undo it.")).toBeVisible();
  const report = dialog("Import of annotations");
  await expect(report).toBeVisible();
  await report.getByRole("button", { name: "Undo import" }).click();
  await dialog("Undo import").getByRole("button", { name: "Undo import" }).click();
  await expect.poll(() => annotations(1)).toBe(0);
});

test("an import whose page was left continues", async () => {
  const before = (await imports()).length;
  await page.goto(`${server.url}datasets`);
  await page.getByRole("article", { name: "Kites" }).getByRole("link", { name: "Kites" }).click();
  await page.getByLabel("COCO file").setInputFiles(few);
  await expect(page.getByText("Will be created").first()).toBeVisible();
  const start = await holdBack(page, { method: "POST", path: /^dataset\/1\/coco\/\d+$/, after: "request" });
  await dialog(/^Import/)
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await start.arrived;
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await start.release();
  await expect.poll(async () => (await imports()).slice(before).map(({ state }) => state)).toEqual(["done"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a dry run ends when its dialog is cancelled before its task is known", async () => {
  const uploads = await holdUploads(server.url, /dataset\/1\/coco/);
  await page.goto(`${uploads.url}dataset/1`);
  await page.getByLabel("COCO file").setInputFiles(many);
  await uploads.arrived;
  await expect(page.getByText("Reading the file. Nothing is stored yet.")).toBeVisible();
  const cancellation = page.waitForRequest(/\/tasks\/\d+\/cancel$/);
  await dialog(/^Import/)
    .getByRole("button", { name: "Cancel" })
    .click();
  uploads.release();
  await cancellation;
  await uploads.close();
});

test("a file that did not arrive for its dry run is sent again from the dialog", async () => {
  await failOnce(page, { method: "POST", path: /^dataset\/1\/coco$/ }, "unavailable");
  await page.goto(`${server.url}dataset/1`);
  await page.getByLabel("COCO file").setInputFiles(few);
  await dialog("Import few.json").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("This is what the import will do:")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await dialog("Import few.json").getByRole("button", { name: "Cancel" }).click();
});

test("the import of a whole dataset is not reported as cancelled while its annotations are still being imported", async () => {
  const uploads = await holdUploads(server.url, /dataset\/\d+\/coco/);
  await page.goto(`${uploads.url}datasets`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const form = dialog("Import a dataset");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    form.getByLabel("Annotations", { exact: false }).first().click(),
  ]);
  await chooser.setFiles(many);
  await form.getByLabel("Images", { exact: true }).setInputFiles(imageFile);
  await form.getByLabel("Dataset Name").fill("Whole");
  await form.getByRole("button", { name: "Import", exact: true }).click();
  await uploads.arrived;
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form.getByText("Cancelling the import")).toBeVisible();
  uploads.release();
  await expect(form.getByText("The import was cancelled.")).toBeVisible();
  expect((await imports()).at(-1)?.state).toBe("cancelled");
  expect(await annotations(2)).toBe(0);
  await uploads.close();
});
