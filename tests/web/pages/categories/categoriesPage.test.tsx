// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from "vitest";
import { CategoriesPage } from "../../../../web/pages/categories/CategoriesPage";
import { eventually } from "../../../support/eventually";
import { makePage, typeInto } from "../../../support/renderedPage";

const category = (id: number, name: string) => ({
  ...{ id, name, supercategory: "", color: "#112233", metadata: {}, creator: "ada", revision: 1, numberAnnotations: 0 },
  ...{ keypoint_labels: [], keypoint_edges: [], keypoint_colors: [], keypoint_label_ids: [], attributes: [] },
  permissions: { edit: true, delete: true },
});
const PAGINATION = { total: 60, pages: 2, page: 1, start: 0, end: 50, showing: 50 };
let page: ReturnType<typeof makePage>;
/** Names of the shown categories, by id. */
let listed: Map<number, string>;
let sent: unknown[];

beforeEach(() => {
  listed = new Map([
    [1, "cat"],
    [2, "dog"],
  ]);
  sent = [];
  page = makePage((call, body) => {
    if (call === "GET /api/category/data")
      return { categories: [...listed].map((each) => category(...each)), pagination: PAGINATION, page: 1 };
    if (call.startsWith("GET")) return undefined;
    sent.push([call, body]);
    return call.startsWith("PUT") ? category(2, "hound") : { success: true };
  });
  page.show(<CategoriesPage />);
});
afterEach(() => page.close());

async function open(name: string, command: string) {
  await page.press(`Menu of ${name}`);
  await page.press(command, "[role=menuitem]");
}
const rows = () => [...document.querySelectorAll("article")].map((row) => row.getAttribute("aria-label"));
/** Loads the list again, in which the category has moved to another page. */
async function move() {
  listed.delete(2);
  await page.refetch();
  await eventually(() => expect(rows()).toEqual(["cat"]));
}
const isClosed = () => eventually(() => expect(page.dialog()).toBeUndefined());

it("keeps the form of a category that moves to another page", async () => {
  await open("dog", "Edit");
  typeInto(await page.field("Name"), "hound");
  await move();
  expect(page.dialog()).toBeDefined();
  expect((await page.field("Name")).value).toBe("hound");
  await page.press("Update");
  await isClosed();
  expect(sent).toEqual([["PUT /api/category/2", { name: "hound" }]]);
});

it("keeps the question about a category that moves to another page", async () => {
  await open("dog", "Delete");
  await eventually(() => expect(page.dialog()?.textContent).toContain("Delete the category dog?"));
  await move();
  expect(page.dialog()).toBeDefined();
  await page.press("Delete");
  await isClosed();
  expect(sent).toEqual([["DELETE /api/category/2", undefined]]);
});

it("opens the form of another category without what was typed before", async () => {
  await open("dog", "Edit");
  typeInto(await page.field("Name"), "hound");
  await page.press("Cancel");
  await isClosed();
  await open("cat", "Edit");
  expect((await page.field("Name")).value).toBe("cat");
});
