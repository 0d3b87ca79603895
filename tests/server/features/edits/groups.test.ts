import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { groupsOf } from "../../../../server/features/edits/groups";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import type { Rings } from "../../../../shared/entities/shape";

const outline = (vertices: number): Rings => [[Array.from({ length: 2 * vertices }, (_, i) => i)]];

function edit(before: AnnotationEdit["before"], after: AnnotationEdit["after"]): AnnotationEdit {
  const common = { uuid: randomUUID(), image_id: 1, base: 1, target: randomUUID() };
  return { ...common, subject: "annotation", action: "modify", before, after };
}

const sizes = (edits: readonly AnnotationEdit[], mayBegin?: (index: number) => boolean) =>
  groupsOf(edits, mayBegin).map((group) => group.length);

test("a batch of moved and deleted shapes is stored in two groups, since each outline counts once", () => {
  const moves = Array.from({ length: 500 }, () => edit({ rings: outline(60) }, { rings: outline(60) }));
  const deletions = Array.from({ length: 500 }, () => edit({ rings: outline(60) }, {}));
  expect([sizes(moves), sizes(deletions)]).toEqual([
    [333, 167],
    [333, 167],
  ]);
});

test("moves of stored shapes count half, since they are read before the transaction", () => {
  const move = { moved: [1, 0] as [number, number], sum: "0".repeat(16), count: 120 };
  const moves = Array.from({ length: 700 }, () => ({ ...edit({}, {}), move }));
  expect(sizes(moves)).toEqual([666, 34]);
});

test("edits without outlines are stored together, and a long outline alone", () => {
  const labels = Array.from({ length: 500 }, () => edit({ category_id: 1 }, { category_id: 2 }));
  expect([sizes(labels), sizes([])]).toEqual([[500], [0]]);
  const long = edit({}, { rings: outline(50_000) });
  expect(sizes([long, ...labels, long])).toEqual([1, 501]);
});

test("a group begins only where `mayBegin` allows it", () => {
  const moves = Array.from({ length: 500 }, () => edit({}, { rings: outline(60) }));
  expect(sizes(moves, (index) => index % 200 === 0)).toEqual([400, 100]);
});
