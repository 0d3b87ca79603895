import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageFilter, LISTED_STAGES, type ListedStage } from "../../../../../shared/api/datasets/datasetImages";
import { type Filter, filterOf, type Kind, queryOf, searchOf } from "../../../../../web/pages/dataset/filter/filter";
import { shown } from "../../../../../web/pages/dataset/sidebar/FilterFields";

const anyFilter: fc.Arbitrary<Filter> = fc.record({
  folder: fc.string({ unit: "grapheme", maxLength: 30 }),
  contains: fc.string({ unit: "grapheme", maxLength: 30 }),
  annotated: fc.constantFrom<Kind[]>(undefined, true, false, "none"),
  hasOpenThreads: fc.boolean(),
  done: fc.constantFrom<Kind[]>(undefined, true, false, "none"),
  stages: fc.uniqueArray(fc.constantFrom(...LISTED_STAGES)),
  assignee: fc.option(fc.string({ minLength: 1, maxLength: 9 }), { nil: undefined }),
  categories: fc.array(fc.integer({ min: 1, max: 1e6 }), { maxLength: 5 }),
  order: fc.constantFrom("file_name", "id", "path", "-path"),
});

describe("the filter in the address", () => {
  it("the filter is read back from the address unchanged", () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(filterOf(new URLSearchParams(searchOf(filter).toString()))).toEqual(filter);
      }),
    );
  });

  it("leaves the address of an unfiltered list empty", () => {
    expect(searchOf(filterOf(new URLSearchParams())).toString()).toBe("");
  });

  it("drops invalid values instead of failing", () => {
    const filter = filterOf(
      new URLSearchParams("annotated=perhaps&stage=returned,gone&category_ids__in=1,x,-2,,3&order=drop&page=2"),
    );
    expect(filter).toEqual({
      folder: "",
      contains: "",
      annotated: undefined,
      done: undefined,
      stages: ["returned"],
      hasOpenThreads: false,
      assignee: undefined,
      categories: [1, 3],
      order: "file_name",
    });
  });

  it("matches the call's input, both as a query and as the text passed to the annotator", () => {
    const stages: ListedStage[] = ["new", "to_review"];
    const filter = {
      ...filterOf(new URLSearchParams()),
      folder: "a/b",
      contains: "x",
      annotated: false,
      done: true,
      stages,
    };
    Object.assign(filter, { categories: [4, 2], order: "-id" });
    const parsed = imageFilter.parse(queryOf(filter));
    expect(parsed).toEqual(imageFilter.parse(Object.fromEntries(searchOf(filter))));
    expect(parsed).toMatchObject({
      annotated: false,
      done: true,
      stage: stages,
      category_ids__in: [4, 2],
      order: "-id",
    });
  });
});

describe("Show Annotated and Show Not Annotated", () => {
  it("the checkboxes hide the kind whose box is cleared, and show both when it is ticked again", () => {
    expect(shown(false, true, undefined)).toBe(false);
    expect(shown(true, true, false)).toBeUndefined();
    expect(shown(false, false, undefined)).toBe(true);
    expect(shown(true, false, true)).toBeUndefined();
  });

  it("no image is shown once both checkboxes are cleared, and then the kind whose checkbox is ticked", () => {
    expect(shown(false, true, true)).toBe("none");
    expect(shown(false, false, false)).toBe("none");
    expect(shown(true, true, "none")).toBe(true);
    expect(shown(true, false, "none")).toBe(false);
  });
});
