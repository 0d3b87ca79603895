// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ImageSummary } from "../../../../../shared/entities/image";
import { filterOf } from "../../../../../web/pages/dataset/filter/filter";
import { ImagesTab } from "../../../../../web/pages/dataset/images/ImagesTab";
import type { DatasetPage } from "../../../../../web/queries/dataset";
import type { QueryState } from "../../../../../web/queries/queryState";
import { eventually } from "../../../../support/eventually";
import { makePage, typeInto } from "../../../../support/renderedPage";

const MAY = { owner: true, edit: true, review: true, manage: true, share: true, generate: true };
const image = (id: number): ImageSummary => ({
  ...{ id, file_name: `${id}.png`, path: `${id}.png`, width: 8, height: 8, annotating: [], annotated: false },
  ...{ num_annotations: 0, done: false, stage: "open", assignee: "ada" },
});
const list = (...ids: number[]): QueryState<DatasetPage> => ({
  ...{ state: "loaded", error: null, isFetching: false, updatedAt: 0, retry: () => undefined },
  data: {
    ...{ total: ids.length, per_page: 52, pages: 1, page: 0, images: ids.map(image), folder: "", directory: "" },
    ...{ categories: [], subdirectories: [], time_ms: 0, requestedAt: 0 },
    dataset: {
      ...{ id: 7, name: "Zoo", directory: "Zoo", owner: "ada", users: [], members: [], categories: [] },
      ...{ annotate_url: "", default_annotation_metadata: {}, review: false, queue_order: "list" },
      ...{ queue_assigned_only: false, numberImages: 9, stages: null, has_consensus: false },
      permissions: { ...MAY, delete: true, download: true },
    },
  },
});
let page: ReturnType<typeof makePage>;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  page = makePage((call, body) => {
    if (call.startsWith("GET")) return undefined;
    sent.push([call, body]);
    return { changed: 2, failed: [] };
  });
});
afterEach(() => page.close());

const nothing = () => undefined;
function show(shown: QueryState<DatasetPage>) {
  const filter = filterOf(new URLSearchParams("assignee=ada"));
  page.show(
    <ImagesTab
      {...{ list: shown, about: shown, presence: undefined, filter, page: 1 }}
      {...{ onFilter: nothing, onPage: nothing, onUpload: nothing }}
    />,
  );
}
const toolbar = () => document.querySelector<HTMLElement>("[role=toolbar]");

it("keeps what is typed in a dialog of selected images that leave the list", async () => {
  show(list(1, 2, 3));
  for (const id of [1, 2]) await page.press(`Select ${id}.png`, "input");
  await page.press("Move");
  typeInto(await page.field("Folder"), "train");
  show(list(3));
  await eventually(() => expect(document.querySelectorAll("article")).toHaveLength(1));
  expect(page.dialog()?.textContent).toContain("Move 2 images");
  expect((await page.field("Folder")).value).toBe("train");
  expect(toolbar()?.hidden).toBe(true);

  document.querySelector<HTMLElement>("[role=dialog] [type=submit]")?.click();
  await eventually(() => expect(page.dialog()).toBeUndefined());
  expect(sent).toEqual([
    ["POST /api/dataset/7/images/move", expect.objectContaining({ ids: [1, 2], folder: "train" })],
  ]);
  expect(toolbar()).toBeNull();
});

it("focuses the list when the dialog of images that have left it is closed", async () => {
  show(list(1));
  await page.press("Select 1.png", "input");
  await page.press("Label");
  await page.field("Add labels");
  show(list());
  await eventually(() => expect(document.querySelectorAll("article")).toHaveLength(0));
  await page.press("Cancel");
  await eventually(() => expect(page.dialog()).toBeUndefined());
  await eventually(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Images of this folder"));
});
