// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from "vitest";
import { DatasetsPage } from "../../../../web/pages/datasets/DatasetsPage";
import { eventually } from "../../../support/eventually";
import { makePage, typeInto } from "../../../support/renderedPage";

const MAY = { owner: true, edit: true, review: true, manage: true, share: true, generate: true };
const dataset = (id: number, name: string) => ({
  ...{ id, name, directory: name, owner: "ada", users: ["bob"], members: [{ username: "bob", role: "annotator" }] },
  ...{ categories: [], annotate_url: "", default_annotation_metadata: {}, review: false, queue_order: "list" },
  ...{ queue_assigned_only: false, numberImages: 0, numberAnnotated: 0, stages: null, first_image_id: null },
  ...{ edited_at: null, edited_by: null, permissions: { ...MAY, delete: true, download: true } },
});
const PAGINATION = { total: 60, pages: 2, page: 1, start: 0, end: 52, showing: 52 };
let page: ReturnType<typeof makePage>;
/** Names of the shown datasets, by id. */
let listed: Map<number, string>;
let sent: unknown[];

beforeEach(() => {
  listed = new Map([
    [1, "Shop"],
    [2, "Zoo"],
  ]);
  sent = [];
  page = makePage((call, body) => {
    if (call === "GET /api/dataset/data") {
      const datasets = [...listed].map((each) => dataset(...each));
      return { pagination: PAGINATION, folder: "", datasets, categories: [], subdirectories: [] };
    }
    if (call.startsWith("GET")) return undefined;
    sent.push([call, body]);
    return { success: true };
  });
  page.show(<DatasetsPage />);
});
afterEach(() => page.close());

async function open(name: string, command: string) {
  await page.press(`Menu of ${name}`);
  await page.press(command, "[role=menuitem]");
}
const cards = () => [...document.querySelectorAll("article")].map((card) => card.getAttribute("aria-label"));
/** Loads the list again, in which the dataset has moved to another page. */
async function move() {
  listed.delete(2);
  await page.refetch();
  await eventually(() => expect(cards()).toEqual(["Shop"]));
}
const isClosed = () => eventually(() => expect(page.dialog()).toBeUndefined());

it("keeps the form of a dataset that moves to another page", async () => {
  await open("Zoo", "Edit");
  typeInto(await page.field("Dataset Name"), "Aquarium");
  await move();
  expect(page.dialog()).toBeDefined();
  expect((await page.field("Dataset Name")).value).toBe("Aquarium");
  await page.press("Save");
  await isClosed();
  expect(sent).toEqual([["POST /api/dataset/2", expect.objectContaining({ name: "Aquarium" })]]);
});

it.each([
  ["Share", "Share Zoo"],
  ["Available offline…", "Available offline: Zoo"],
  ["Delete", "Delete dataset"],
])("keeps the dialog of “%s” for a dataset that moves to another page", async (command, title) => {
  await open("Zoo", command);
  await eventually(() => expect(page.dialog()?.textContent).toContain(title));
  await move();
  expect(page.dialog()?.textContent).toContain(title);
});

it("opens the form of another dataset without what was typed before", async () => {
  await open("Zoo", "Edit");
  typeInto(await page.field("Dataset Name"), "Aquarium");
  await page.press("Cancel");
  await isClosed();
  await open("Shop", "Edit");
  expect((await page.field("Dataset Name")).value).toBe("Shop");
});
