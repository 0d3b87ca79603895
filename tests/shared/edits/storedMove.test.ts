import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { moveStored, sumMove, takeMove } from "../../../shared/edits/moves/storedMove";
import type { Rings } from "../../../shared/entities/shape";
import { translateRings } from "../../../shared/geometry/polygons";
import { uuidOf } from "../../web/annotator/testEditor";

const change = (before: Rings | null, after: Rings | null): AnnotationEdit => ({
  ...{ uuid: uuidOf(1), image_id: 1, base: 2, subject: "annotation", target: uuidOf(2), action: "modify" },
  ...{ before: { rings: before, isbbox: false }, after: { rings: after, isbbox: false } },
});
const moveOf = (rings: Rings, x: number, y: number) => takeMove(sentOf(change(rings, translateRings(rings, x, y))));
const sentOf = (edit: AnnotationEdit) => JSON.parse(JSON.stringify(sumMove(edit)));

const cents = fc.integer({ min: -50_000, max: 500_000 }).map((value) => value / 100);
const anyRing = fc.array(fc.tuple(cents, cents), { minLength: 1, maxLength: 8 }).map((points) => points.flat());
const anyRings = fc.array(fc.array(anyRing, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });

test("the stored shape is moved to the last bit", () => {
  fc.assert(
    fc.property(anyRings, cents, cents, (rings, x, y) => {
      const taken = moveOf(rings, x, y);
      if (!taken) return;
      const stored = JSON.parse(JSON.stringify(rings));
      expect(moveStored(stored, taken.move)).toEqual(translateRings(stored, ...taken.move.moved));
      expect(moveStored(stored, taken.move)).toEqual(JSON.parse(JSON.stringify(translateRings(rings, x, y))));
    }),
  );
});

test("a move is sent without the shape", () => {
  const rings = [[[1023.56, 0.1, 9.37, 3, 5.5, 7]]];
  const sent = sentOf(change(rings, translateRings(rings, 1, -10)));
  expect(sent.after).toEqual({ rings: { moved: [1, -10] }, isbbox: false });
  expect(sent.before).toEqual({ rings: { sum: expect.stringMatching(/^[0-9a-f]{16}$/), count: 6 }, isbbox: false });
  expect(takeMove(sent)?.edit).toEqual({
    ...change(null, null),
    before: { rings: undefined, isbbox: false },
    after: { rings: undefined, isbbox: false },
  });
});

test("shapes that differ by a bit, an order or a ring have other checksums", () => {
  const shapes: Rings[] = [
    [[[1, 2, 3, 4, 5, 6]]],
    [[[1, 2, 3, 4, 5, 6 + Number.EPSILON * 4]]],
    [[[2, 1, 3, 4, 5, 6]]],
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [[[1, 2, 3]], [[4, 5, 6]]],
    [[[1, 2, 3, 4, 5, 6, 0, 0]]],
    ...Array.from({ length: 2000 }, (_, i) => [[[i, 0, 4096 * i, 8, 5, 6]]]),
  ];
  const sums = shapes.map((rings) => moveOf(rings, 1, 0)?.move.sum);
  expect(new Set(sums).size).toBe(shapes.length);
});

test("another shape, none, and a move out of the allowed range are not moved", () => {
  const rings = [[[0, 0, 4, 0, 4, 4]]];
  const { move } = moveOf(rings, 2, 2)!;
  expect(moveStored([[[0, 0, 4, 0, 4, 5]]], move)).toBeUndefined();
  expect(moveStored(null, move)).toBeUndefined();
  expect(moveStored(rings, { ...move, moved: [1e7, 0] })).toBeUndefined();
  expect(moveStored(rings, move)).toEqual([[[2, 2, 6, 2, 6, 6]]]);
});

test("other edits and malformed moves are left to the schema", () => {
  const rings = [[[0, 0, 4, 0, 4, 4]]];
  const whole = change(rings, [[[1, 0, 5, 0, 5, 5]]]);
  expect(sumMove(whole)).toBe(whole);
  const sent = sentOf(change(rings, translateRings(rings, 1, 0)));
  const { sum } = sent.before.rings;
  for (const wrong of [
    { sum },
    { count: 6 },
    { sum: "12", count: 6 },
    { sum, count: 0 },
    { sum, count: 1.5 },
    null,
    "x",
  ])
    expect(takeMove({ ...sent, before: { rings: wrong } })).toBeUndefined();
  expect(takeMove({ ...sent, after: { rings: { moved: [1] } } })).toBeUndefined();
  for (const value of [null, 5, "x", [], {}]) expect(takeMove(value)).toBeUndefined();
});
