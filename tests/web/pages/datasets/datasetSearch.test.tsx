// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from "vitest";
import { DatasetsPage } from "../../../../web/pages/datasets/DatasetsPage";
import { eventually } from "../../../support/eventually";
import { makePage, typeInto } from "../../../support/renderedPage";

let page: ReturnType<typeof makePage>;
let calls: number;
const list = (total: number) => {
  const pagination = { total, pages: 1, page: 1, start: 0, end: total, showing: total };
  return { pagination, folder: "", datasets: [], categories: [], subdirectories: [] };
};

beforeEach(() => {
  calls = 0;
  page = makePage((call) => {
    if (call !== "GET /api/dataset/data") return undefined;
    calls += 1;
    // The list without a search never arrives.
    return calls === 1 ? list(3) : new Promise(() => undefined);
  });
});
afterEach(() => page.close());

it("keeps the search while the list without it loads", async () => {
  page.show(<DatasetsPage />, "/datasets?search=cat");
  const field = await eventually(
    () => document.querySelector<HTMLInputElement>("input[type=search]") ?? expect.unreachable("There is no field."),
  );
  await eventually(() => expect(calls).toBe(1));
  typeInto(field, "");
  await eventually(() => expect(calls).toBe(2));
  expect(document.querySelector("input[type=search]")).toBe(field);
});
