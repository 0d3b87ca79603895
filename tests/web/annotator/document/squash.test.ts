import { expect, test } from "vitest";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import { squashEdits } from "../../../../web/annotator/document/squash";
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
const C = [[[2, 2, 9, 2, 9, 9]]];

test("consecutive edits of one annotation become one, with the values before the first and after the last", () => {
  const first = edit({ before: { rings: [], isbbox: true }, after: { rings: A, isbbox: false } });
  const second = edit({ uuid: uuidOf(8), base: 2, before: { rings: A }, after: { rings: B } });
  expect(squashEdits([first, second])).toEqual([
    { ...second, before: { rings: [], isbbox: true }, after: { rings: B, isbbox: false } },
  ]);
});

test("edits that end with the original values are dropped", () => {
  const there = edit({ before: { rings: A }, after: { rings: B } });
  const back = edit({ before: { rings: B }, after: { rings: A } });
  expect(squashEdits([there, back])).toEqual([]);
});

test("a field with its original value is left out, and the other field stays", () => {
  const there = edit({ before: { rings: A, isbbox: true }, after: { rings: B, isbbox: false } });
  const back = edit({ before: { rings: B }, after: { rings: A } });
  expect(squashEdits([there, back])).toMatchObject([{ before: { isbbox: true }, after: { isbbox: false } }]);
});

test("edits of different annotations, creations and deletions stay separate", () => {
  const mine = edit({ before: { rings: A }, after: { rings: B } });
  const other = edit({ target: uuidOf(2), before: { rings: A }, after: { rings: B } });
  const made = edit({ action: "create", after: { rings: A } });
  const gone = edit({ action: "delete", before: { rings: B } });
  expect(squashEdits([made, mine, other, gone])).toEqual([made, mine, other, gone]);
});

test("modifications of one annotation become one, even with modifications of others in between", () => {
  const other = edit({ target: uuidOf(2), before: { rings: A }, after: { rings: B } });
  const first = edit({ before: { rings: A }, after: { rings: B } });
  const second = edit({ before: { rings: B }, after: { rings: C } });
  expect(squashEdits([first, other, second])).toMatchObject([{ before: { rings: A }, after: { rings: C } }, other]);
});
