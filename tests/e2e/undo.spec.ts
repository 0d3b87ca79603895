import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/accessibility";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { loadPhotographs } from "../support/photographs";
import { specFolder } from "../support/specFolder";

/** Restoring and permanently deleting on the undo page, beside an open annotator. */
test.describe.configure({ mode: "serial" });

const folder = specFolder();
let server: LiveServer;
let page: Page;
let desk: Desk;
let datasetId: number;
let first: number;
const names: string[] = [];
const problems: string[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  const context = await browser.newContext();
  page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.text().includes("Content Security") && problems.push(message.text()));
  desk = new Desk(page, server.url);
  await desk.register("ada");
  const { files } = await loadPhotographs(folder);
  const imageFiles = Object.fromEntries(files.slice(0, 4).map((file) => [basename(file), readFileSync(file)]));
  names.push(...Object.keys(imageFiles));
  const dataset = await desk.dataset("Street", ["person", "spare"], imageFiles);
  datasetId = dataset.id;
  first = dataset.image(names[0] ?? "");
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

const open = async (search = "") => {
  await page.goto(`${server.url}undo${search}`);
  await expect(page.getByRole("heading", { name: "Undo", exact: true })).toBeVisible();
};
const row = (name: string | RegExp) => page.getByRole("row", { name });
const choose = async (field: string, option: string) => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};
const look = (name: string) =>
  process.env.LOOK ? page.screenshot({ path: join(process.env.LOOK, `${name}.png`) }) : undefined;
const overflow = () =>
  page.evaluate(() =>
    [document.documentElement, document.getElementById("main")].map((box) =>
      box ? box.scrollWidth - box.clientWidth : 0,
    ),
  );

test("an empty trash shows a message, and its bulk commands are disabled", async () => {
  await page.goto(`${server.url}categories`);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Undo" }).click();
  await expect(page).toHaveTitle(/^Undo/);
  await expect(page.getByText("Nothing to undone!")).toBeVisible();
  for (const name of ["Undo All", "Delete All", "Undo Selected", "Delete Selected"])
    await expect(page.getByRole("button", { name })).toBeDisabled();
  expect(await findViolations(page)).toEqual([]);
  await look("empty");
});

test("a restored annotation appears in an open annotator when its tab is visible again", async () => {
  const categories = await desk.api<{ id: number; name: string }[]>("GET", "category/");
  const person = categories.find(({ name }) => name === "person")?.id;
  const shape = { segmentation: [[20, 20, 120, 20, 120, 120, 20, 120]], metadata: { name: "Tom" } };
  const body = { image_id: first, category_id: person, ...shape };
  const { id } = await desk.api<{ id: number }>("POST", "annotation/", body);
  const annotator = await page.context().newPage();
  await annotator.goto(`${server.url}annotate/${first}`);
  const rows = annotator.getByRole("treeitem", { name: /Tom/ });
  const lookAgain = () => annotator.evaluate(() => window.dispatchEvent(new Event("focus")));
  await annotator
    .getByRole("treeitem", { name: /person/ })
    .first()
    .click();
  await expect(rows).toHaveCount(1);
  await desk.api("DELETE", `annotation/${id}`);
  await lookAgain();
  await expect(rows).toHaveCount(0);

  await open();
  await expect(row(/Tom/)).toContainText(/just now|ago/);
  await expect(row(/Tom/)).toContainText(`person in ${names[0]} · Street`);
  await page.getByRole("button", { name: "Roll back annotation Tom" }).click();
  await expect(page.getByText("annotation Tom was restored")).toBeVisible();
  await expect(page.getByText("Nothing to undone!")).toBeVisible();
  await lookAgain();
  await expect(rows).toHaveCount(1);
  await annotator.close();
});

test("the list is filtered by type and limit, which are part of the address", async () => {
  const spare = (await desk.api<{ id: number; name: string }[]>("GET", "category/")).find(
    ({ name }) => name === "spare",
  );
  await desk.api("DELETE", `category/${spare?.id}`);
  const { images } = await desk.api<{ images: { id: number; file_name: string }[] }>(
    "GET",
    `dataset/${datasetId}/data`,
  );
  for (const { id } of images.filter((image) => image.id !== first)) await desk.api("DELETE", `image/${id}`);
  await open();
  await expect(page.getByRole("row")).toHaveCount(5);
  await choose("Type", "image");
  await expect(page.getByRole("row")).toHaveCount(4);
  await choose("Limit", "1000");
  await expect(page).toHaveURL(/type=image&limit=1000$/);
  await page.reload();
  await expect(page.getByRole("row")).toHaveCount(4);
  await choose("Type", "dataset");
  await expect(page.getByText("Nothing to undone!")).toBeVisible();
  await choose("Type", "all");
  await expect(page.getByRole("row")).toHaveCount(5);
  expect(await findViolations(page)).toEqual([]);
  await look("list");
});

test("selected rows are restored together, by keyboard alone", async () => {
  await page.getByRole("checkbox", { name: `Select image ${names[1]}` }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("checkbox", { name: "Select category spare" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("2 of 4 items selected")).toBeVisible();
  await look("ticked");
  await page.getByRole("button", { name: "Undo Selected" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 category, 1 image were restored")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("heading", { name: "Undo", exact: true })).toBeFocused();
});

test("deleting permanently asks first, then removes the selected rows", async () => {
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await page.getByRole("button", { name: "Delete Selected" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete permanently" });
  await expect(dialog).toContainText("Are you sure you want to delete 2 images permanently?");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await look("question");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Delete Selected" }).click();
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText("2 images were deleted")).toBeVisible();
  await expect(page.getByText("Nothing to undone!")).toBeVisible();
  await expect(dialog).toBeHidden();
  expect((await desk.api<{ total: number }>("GET", `dataset/${datasetId}/data`)).total).toBe(2);
});

test("a row that cannot be deleted permanently shows why", async () => {
  const person = (await desk.api<{ id: number; name: string }[]>("GET", "category/")).find(
    ({ name }) => name === "person",
  );
  await desk.api("DELETE", `category/${person?.id}`);
  await open();
  await page.getByRole("button", { name: "Delete category person permanently" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText("category person: 1 annotation uses this category.")).toBeVisible();
  await look("refused");
  await page.getByRole("button", { name: "Roll back category person" }).click();
  await expect(page.getByText("category person was restored")).toBeVisible();
});

test("a dataset is restored with its images, or permanently deleted with its files", async () => {
  await desk.api("DELETE", `dataset/${datasetId}`);
  await open();
  await page.getByRole("button", { name: "Roll back dataset Street" }).click();
  await expect(page.getByText("dataset Street was restored")).toBeVisible();
  expect((await desk.api<{ total: number }>("GET", `dataset/${datasetId}/data`)).total).toBe(2);
  await desk.api("DELETE", `dataset/${datasetId}`);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("button", { name: "Delete dataset Street permanently" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText(/Dataset Street was deleted/)).toBeVisible();
  await expect(page.getByText("Nothing to undone!")).toBeVisible();
  const tasks = () => desk.api<{ name: string; state: string }[]>("GET", "tasks/");
  await expect
    .poll(async () => (await tasks()).find(({ name }) => name === "Delete dataset Street permanently")?.state)
    .toBe("done");
  expect(await desk.api("POST", "dataset/", { name: "Street" })).toMatchObject({
    name: "Street",
    directory: "/datasets/Street/",
  });
});

test("the linked task is opened, and passes axe in both themes; so do pages that only show a message", async () => {
  const [{ id, name }] = (await desk.api<{ id: number; name: string }[]>("GET", "tasks/")).slice(-1) as [
    { id: number; name: string },
  ];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${server.url}tasks?id=${id}`);
    await expect(page.getByRole("region", { name: `Log of ${name}` })).toContainText("[INFO]");
    expect(await findViolations(page)).toEqual([]);
    await page.goto(`${server.url}nothing/here`);
    await expect(page.getByRole("heading", { name: "Sorry! 404 Error" })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
  }
});

test("a full page fits narrow screens, in light and dark", async () => {
  const { id } = await desk.api<{ id: number }>("POST", "category/", {
    name: `${"a long name without a blank ".repeat(3)}end`,
  });
  await desk.api("DELETE", `category/${id}`);
  for (let n = 0; n < 30; n++) {
    const made = await desk.api<{ id: number }>("POST", "category/", { name: `many${"x".repeat(n * 3)}` });
    await desk.api("DELETE", `category/${made.id}`);
  }
  for (const [columns, lines] of [
    [1280, 800],
    [768, 1024],
    [390, 800],
  ] as const) {
    await page.setViewportSize({ width: columns, height: lines });
    await open();
    await expect(page.getByRole("row")).toHaveCount(32);
    expect(await overflow(), `${columns}`).toEqual([0, 0]);
    await look(`width-${columns}`);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  expect(await findViolations(page)).toEqual([]);
  await look("dark");
  expect(problems).toEqual([]);
});
