import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { inverseEdit } from "../../../shared/edits/inverse";
import { restoreMove, shortenMove } from "../../../shared/edits/moves/moved";
import type { Rings } from "../../../shared/entities/shape";
import { translateRings } from "../../../shared/geometry/polygons";
import { uuidOf } from "../../web/annotator/testEditor";

const change = (before: Rings | null, after: Rings | null): AnnotationEdit => ({
  ...{ uuid: uuidOf(1), image_id: 1, base: 2, subject: "annotation", target: uuidOf(2), action: "modify" },
  ...{ before: { rings: before, isbbox: false }, after: { rings: after, isbbox: false } },
});

const cents = fc.integer({ min: -50_000, max: 500_000 }).map((value) => value / 100);
const anyRing = fc.array(fc.tuple(cents, cents), { minLength: 1, maxLength: 8 }).map((points) => points.flat());
const anyRings = fc.array(fc.array(anyRing, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });
const sentOf = (edit: AnnotationEdit) => JSON.parse(JSON.stringify(shortenMove(edit)));

test("a sent edit is restored to the last bit, whether it was shortened or not", () => {
  fc.assert(
    fc.property(anyRings, anyRings, cents, cents, (rings, others, x, y) => {
      const moved = change(rings, translateRings(rings, x, y));
      for (const edit of [moved, inverseEdit(moved, 3, uuidOf(3)) as AnnotationEdit, change(rings, others)])
        expect(restoreMove(sentOf(edit))).toEqual(JSON.parse(JSON.stringify(edit)));
    }),
  );
});

test("moves by whole pixels are sent as a distance, with holes", () => {
  const rings = [
    [
      [1023.56, 0.1, 9.37, 3, 5.5, 7],
      [1, 1, 2, 2, 3, 1.3],
    ],
    [[4, 4, 5, 5, 6, 6]],
  ];
  const sent = sentOf(change(rings, translateRings(rings, 1, -10)));
  expect(sent.after).toEqual({ rings: { moved: [1, -10] }, isbbox: false });
  expect(sent.before.rings).toEqual(rings);
});

test("other changes are sent in full", () => {
  const rings = [[[0, 0, 4, 0, 4, 4]]];
  const wholes = [
    change(rings, [[[1, 0, 5, 0, 5, 5]]]),
    change(rings, [[[1, 0, 5, 0]]]),
    change(rings, []),
    change(null, rings),
    change([], []),
  ];
  for (const edit of wholes) expect(shortenMove(edit)).toBe(edit);
});

test("a value that is not an edit with a distance is returned unchanged, for the schema to check", () => {
  const moved = { moved: [1, 2] };
  const others = [
    null,
    5,
    { after: { rings: moved } },
    { before: { rings: null }, after: { rings: moved } },
    { before: { rings: [["a"]] }, after: { rings: moved } },
    { before: { rings: [[["a"]]] }, after: { rings: moved } },
    { before: { rings: [] }, after: { rings: { moved: [1] } } },
    { before: { rings: [] }, after: { rings: { moved: [1, "2"] } } },
  ];
  for (const value of others) expect(restoreMove(value)).toBe(value);
});
