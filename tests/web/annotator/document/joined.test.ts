import { expect, test } from "vitest";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import { joined } from "../../../../web/annotator/document/joined";
import { uuidOf } from "../testEditor";

const edit = (change: Partial<AnnotationEdit>): AnnotationEdit => ({
  uuid: uuidOf(9),
  image_id: 7,
  base: 1,
  subject: "annotation",
  target: uuidOf(1),
  action: "modify",
  before: {},
  after: {},
  ...change,
});

const A = [[[0, 0, 9, 0, 9, 9]]];
const B = [[[1, 1, 9, 1, 9, 9]]];

test("changes of one annotation are one, from before the first to after the last", () => {
  const first = edit({ before: { rings: [], isbbox: true }, after: { rings: A, isbbox: false } });
  const second = edit({ uuid: uuidOf(8), base: 2, before: { rings: A }, after: { rings: B } });
  expect(joined([first, second])).toEqual([
    { ...second, before: { rings: [], isbbox: true }, after: { rings: B, isbbox: false } },
  ]);
});

test("what ends as it began is nothing", () => {
  const there = edit({ before: { rings: A }, after: { rings: B } });
  const back = edit({ before: { rings: B }, after: { rings: A } });
  expect(joined([there, back])).toEqual([]);
});

test("a field that comes back goes, the other stays", () => {
  const there = edit({ before: { rings: A, isbbox: true }, after: { rings: B, isbbox: false } });
  const back = edit({ before: { rings: B }, after: { rings: A } });
  expect(joined([there, back])).toMatchObject([{ before: { isbbox: true }, after: { isbbox: false } }]);
});

test("edits of several annotations, and what makes or deletes one, stay as they are", () => {
  const mine = edit({ before: { rings: A }, after: { rings: B } });
  const other = edit({ target: uuidOf(2), before: { rings: A }, after: { rings: B } });
  const made = edit({ action: "create", after: { rings: A } });
  const gone = edit({ action: "delete", before: { rings: B } });
  expect(joined([made, mine, other, gone])).toEqual([made, mine, other, gone]);
});
