import { expect, test } from "vitest";
import type { Annotation } from "../../../../shared/entities/annotation";
import { parseSearch, passes } from "../../../../web/annotator/state/listFilter";
import { byAttribute, inListOrder, isListOrder, type ListOrder } from "../../../../web/annotator/state/listOrder";
import { rowsOf } from "../../../../web/annotator/tree/rows";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const POSE = { name: "pose", type: "choice", choices: ["sitting"], required: true, default: null, key: null } as const;
/**
 * An annotation whose shape has this area. `area` is 0, as it is for shapes that were drawn since the image was opened.
 */
const drawn = (n: number, size: number, fields: Partial<Annotation>): Annotation =>
  annotationOf(n, { ...fields, area: 0, rings: [[[0, 0, size, 0, size, 1, 0, 1]]] });
const annotations: Annotation[] = [
  drawn(1, 50, { creator: "ann", attributes: { pose: "sitting", age: 9 } }),
  drawn(2, 900, { creator: "Bob Ross", attributes: { occluded: true, age: 10 } }),
  drawn(3, 300, { creator: "ann", attributes: { group_id: 2, Pose: "standing up" } }),
];
const category = { attributes: [{ ...POSE, choices: ["sitting"] }] };
const found = (text: string) =>
  annotations.filter((each) => passes(parseSearch(text).tests, each, category)).map(({ id }) => id);

test("conditions on author, area, attributes and flags limit the annotations", () => {
  expect(found("author:ann")).toEqual([1, 3]);
  expect(found("area>100 area<500")).toEqual([3]);
  expect(found("pose:sit")).toEqual([1]);
  expect(found('pose:"standing up"')).toEqual([3]);
  expect(found("age>9")).toEqual([2]);
  expect(found("is:occluded")).toEqual([2]);
  expect(found("is:grouped")).toEqual([3]);
  expect(found("is:missing")).toEqual([2, 3]);
  expect(found('author:"bob ross"')).toEqual([2]);
});

test("the area is that of the shape without its holes, or the measured one of a mask", () => {
  const isIn = (text: string, fields: Partial<Annotation>) =>
    passes(parseSearch(text).tests, annotationOf(1, fields), category);
  const withHole: Annotation["rings"] = [
    [
      [0, 0, 10, 0, 10, 10, 0, 10],
      [2, 2, 2, 8, 8, 8, 8, 2],
    ],
  ];
  expect([isIn("area<65", { rings: withHole }), isIn("area<64", { rings: withHole })]).toEqual([true, false]);
  expect(isIn("area>499", { rings: null, area: 500 })).toBe(true);
});

test("words that are not conditions are searched for in names", () => {
  expect(parseSearch("left horn area>x 3")).toMatchObject({ tests: [], words: "left horn area>x 3" });
  expect(parseSearch("horn area>3")).toMatchObject({ words: "horn" });
});

test("annotations can be listed by age, area, author or an attribute, with annotations without a value last", () => {
  const ids = (order: ListOrder) =>
    inListOrder(
      annotations.map((annotation) => ({ annotation })),
      order,
    ).map(({ annotation }) => annotation.id);
  expect(ids("newest")).toEqual([3, 2, 1]);
  expect(ids("largest")).toEqual([2, 3, 1]);
  expect(ids("smallest")).toEqual([1, 3, 2]);
  expect(ids("author")).toEqual([1, 3, 2]);
  expect(ids(byAttribute("age"))).toEqual([1, 2, 3]);
  expect([isListOrder("largest"), isListOrder("attribute:age"), isListOrder("x")]).toEqual([true, true, false]);
});

test("a filter shows matching annotations of all categories, even collapsed ones, and hides all others", () => {
  const { document, layers, search } = new TestEditor(sceneOf(annotations)).editor;
  const lines = (text: string) => {
    search.find(text);
    const rows = rowsOf(document.state, layers.state, search.state, { annotation: null, category: null }, "largest");
    return rows.map((row) =>
      row.kind === "annotation" ? row.annotation.id : row.kind === "category" && row.category.name,
    );
  };
  expect(lines("area>100")).toEqual(["cat", 2, 3]);
  expect(lines("cat area>100")).toEqual(["cat", 2, 3]);
  expect(lines("area>9999")).toEqual([]);
  expect(lines("")).toEqual(["cat", "dog"]);
});

test("the order is remembered for the user, and the arrow keys follow it", () => {
  const editor = new TestEditor(sceneOf(annotations));
  editor.editor.settings.change({ listOrder: "largest" });
  expect(editor.preferences.at(-1)).toEqual({ "settings/listOrder": "largest" });
  editor.editor.selection.selectCategory(1);
  editor.press("arrowright").press("arrowdown");
  expect(editor.selected?.id).toBe(3);
});
