import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { sql } from "kysely";
import { openDatabase } from "../../server/db/open/database";
import { expectAccessible } from "../support/accessibility";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { loadPhotographs } from "../support/photographs";
import { specFolder } from "../support/specFolder";

/** The owner of a dataset checks its quality, looks at a finding in the annotator, fixes, undoes and ignores. */
test.describe.configure({ mode: "serial" });

const folder = specFolder();
let server: LiveServer;
let page: Page;
let desk: Desk;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer({}, { isEmbedded: true });
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  const { files, document } = await loadPhotographs(folder);
  const chosen = files.slice(0, 4);
  const imageFiles = Object.fromEntries(chosen.map((file) => [basename(file), readFileSync(file)]));
  imageFiles["copy.jpg"] = readFileSync(chosen[0]!);
  const { id } = await desk.dataset("Street", [], imageFiles);
  const images = document.images
    .filter(({ file_name }) => basename(file_name) in imageFiles)
    .map((image) => ({ ...image, file_name: basename(image.file_name) }));
  const ids = new Set(images.map((image) => image.id));
  const annotations = document.annotations.filter(({ image_id }) => ids.has(image_id));
  const [first, second] = annotations;
  const twice = { ...first!, id: 90_001 };
  const other = document.categories.find((category) => category.id !== second!.category_id)!;
  const swapped = { ...second!, id: 90_002, category_id: other.id };
  await desk.importCoco(id, { ...document, images, annotations: [...annotations, twice, swapped] });
  await page.goto(`${server.url}dataset/${id}`);
  await page.getByRole("tab", { name: "Quality" }).click();
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

async function tasksEnded(): Promise<void> {
  const tasks = () => desk.api<{ completed: boolean }[]>("GET", "tasks/");
  await expect.poll(async () => (await tasks()).every(({ completed }) => completed)).toBe(true);
}

const kind = (name: string) => page.getByRole("list", { name: "Kinds of findings" }).getByRole("button", { name });
const part = (name: string) => page.getByRole("region", { name, exact: true });

test("a dataset that was not checked says so, and the check counts findings by kind", async () => {
  await expect(page.getByText("Not checked yet")).toBeVisible();
  await expectAccessible(page, "not checked");
  await page.getByRole("button", { name: "Check the dataset" }).click();
  await expect(kind("Equal images")).toHaveText(/1$/);
  await expect(kind("Duplicate annotations")).toHaveText(/1$/);
  await expect(page.getByText(/^Checked .*Images: 5, annotations: \d+\.$/)).toBeVisible();
  await kind("Contradicting categories").click();
  await expect(part("Contradicting categories").getByRole("article")).toHaveCount(1);
  await expectAccessible(page, "findings");
});

test("Show opens the annotator with the annotation selected", async () => {
  await kind("Duplicate annotations").click();
  await part("Duplicate annotations")
    .getByRole("link", { name: /^Show .* in the annotator$/ })
    .click();
  await expect(page).toHaveURL(/annotate\/\d+#annotation=/);
  await expect(page.getByRole("treeitem", { selected: true })).toBeVisible();
  await page.goBack();
});

test("all duplicates are fixed with one press, and undo brings them back", async () => {
  await kind("Duplicate annotations").click();
  await page.getByRole("button", { name: "Fix 1 finding" }).click();
  await expect(page.getByText("1 was fixed.")).toBeVisible();
  await expect(kind("Duplicate annotations")).toBeHidden();
  // No other kind takes its place, under a pointer that may be pressing a button.
  await expect(page.getByText("No findings of this kind are left")).toBeVisible();
  await expect(page.getByRole("list", { name: "Kinds of findings" }).locator("[aria-pressed=true]")).toHaveCount(0);
  await part("Fixes")
    .getByRole("button", { name: /^Undo: Duplicate annotations/ })
    .click();
  await expect(page.getByText("1 was restored.")).toBeVisible();
  // The restored annotation has a new revision, which has not been checked yet.
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(kind("Duplicate annotations")).toHaveText(/1$/);
  await tasksEnded();
  // The findings of the last check, not those that it has replaced.
  await page.reload();
});

test("an ignored finding stays ignored after another check", async () => {
  await kind("Contradicting categories").click();
  await part("Contradicting categories")
    .getByRole("button", { name: /^Ignore .*jpg/ })
    .click();
  await expect(kind("Contradicting categories")).toHaveText(/1 ignored$/);
  // The progress bar and the counts look as before until the check has begun.
  const begun = page.waitForResponse((response) => response.url().endsWith("/quality/check"));
  await page.getByRole("button", { name: "Check again" }).click();
  await begun;
  await tasksEnded();
  await expect(page.getByRole("progressbar", { name: "Checking the quality" })).toBeHidden();
  await expect(kind("Contradicting categories")).toHaveText(/1 ignored$/);
});

/** Stores the finding that the first annotations look like those of another category, which needs a larger dataset. */
async function suggestCategories(): Promise<void> {
  await server.stop();
  const { db, close } = await openDatabase({ DATABASE_URL: undefined, DATA_DIR: server.dataDir });
  await sql`
    insert into quality_findings (dataset_id, kind, key, image_id, annotation_id, revision, score, details)
    select i.dataset_id, 'unlikelyCategory', 'a' || a.id, i.id, a.id, a.revision, 6,
      json_build_object('likely', c.id, 'likelyName', c.name, 'margin', 6)::jsonb
    from annotations a join images i on i.id = a.image_id
    join lateral (select c.id, c.name from categories c where c.id <> a.category_id order by c.id limit 1) c on true
    where a.deleted_at is null order by a.id limit 3`.execute(db);
  await close();
  await server.start();
}

test("a button names the number of findings that its command sends, not an earlier count", async () => {
  await tasksEnded();
  await suggestCategories();
  await page.reload();
  await page.getByRole("tab", { name: "Quality" }).click();
  await kind("Equal images").click();
  await expect(kind("Unlikely categories")).toHaveText(/3$/);
  const path = `dataset/${/dataset\/(\d+)/.exec(page.url())?.[1]}/quality`;
  const { findings } = await desk.api<{ findings: { id: number }[] }>("GET", `${path}/findings?kind=unlikelyCategory`);
  const [first, second] = findings.map(({ id }) => id);
  const ignore = (ids: (number | undefined)[], ignored: boolean) =>
    desk.api("POST", `${path}/ignore`, { kind: "unlikelyCategory", ids, ignored });
  await ignore([first], true);
  await kind("Unlikely categories").click();
  await expect(part("Unlikely categories").getByRole("article")).toHaveCount(2);
  const command = page.getByRole("button", { name: "Ignore 2 findings" });
  await expect(command).toBeVisible();
  // As many, but not the same ones: the command is refused, and those that are there now are loaded.
  await ignore([first], false);
  await ignore([second], true);
  const refused = page.waitForResponse((response) => response.url().endsWith("/quality/ignore"));
  const links = () =>
    part("Unlikely categories")
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const before = await links();
  await command.click();
  expect((await refused).status()).toBe(409);
  await expect(page.getByText("there are as many now, but not the same ones")).toBeVisible();
  await expect.poll(links).not.toEqual(before);
  await command.click();
  await expect(kind("Unlikely categories")).toHaveText(/3 ignored$/);
  await ignore(
    findings.map(({ id }) => id),
    false,
  );
  await page.reload();
});

test("categories become the suggested ones after a question, and undo brings the earlier ones back", async () => {
  await page.getByRole("tab", { name: "Quality" }).click();
  await kind("Unlikely categories").click();
  const findings = part("Unlikely categories");
  await expect(findings.getByRole("article")).toHaveCount(3);
  await expectAccessible(page, "suggested categories");
  await findings.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Change 1 annotation to the suggested category" }).click();
  const question = page.getByRole("dialog", { name: "Change categories" });
  await expect(question).toContainText("1 annotation gets the category");
  await expectAccessible(page, "question");
  await question.getByRole("button", { name: "Cancel" }).click();
  await findings.getByRole("checkbox").first().uncheck();
  await page.getByRole("combobox", { name: "Suggested category" }).click();
  const option = page.getByRole("option").first();
  const count = Number(/\((\d+)\)$/.exec((await option.textContent()) ?? "")?.[1]);
  await option.click();
  await expect(findings.getByRole("article")).toHaveCount(count);
  await page.getByRole("button", { name: /^Change \d annotations? to the suggested categor/ }).click();
  await question.getByRole("button", { name: "Change", exact: true }).click();
  await expect(page.getByText(count === 1 ? "1 was fixed." : `${count} were fixed.`)).toBeVisible();
  await part("Fixes")
    .getByRole("button", { name: /^Undo: Unlikely categories/ })
    .click();
  await expect(page.getByText(count === 1 ? "1 was restored." : `${count} were restored.`)).toBeVisible();
});

test("fits a phone", async () => {
  await page.setViewportSize({ width: 375, height: 740 });
  await expect(kind("Equal images")).toBeVisible();
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isWider).toBe(false);
  await expectAccessible(page);
});

test("the queue can begin with the images that are most different, which a task compares", async () => {
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Order of the queue" }).click();
  await page.getByRole("option", { name: "Most different from annotated images first" }).click();
  await expect(page.getByText("All images are compared.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Compare the others" })).toBeHidden();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText("All images are compared.")).toBeVisible();
});
