import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { AnnotationEdit, Edit } from "../../../../shared/edits/edit";
import { translateRings } from "../../../../shared/geometry/polygons";
import type { JournalRow } from "../../../../web/sync/journal/journalRow";
import { type Pack, packRows, unpackRows } from "../../../../web/sync/journal/packs";
import { seededRandom } from "../../../support/seededRandom";

type Row = Omit<JournalRow, "seq">;

/** Returns what the browser gives back for what was stored. */
const stored = (rows: readonly Row[]) =>
  [...packRows(rows)]
    .map((record, i) => structuredClone({ ...record, seq: i + 1 } as JournalRow | Pack))
    .flatMap(unpackRows)
    .map(({ seq: _, ...row }) => row);

const PLACE = { dataset: "d", path: "a.png", width: 9, height: 9, categories: { 1: "cat" } };

/** Makes rows of all kinds of edits, with odd numbers in their shapes. */
function randomRows(random: () => number): Row[] {
  const among = <T>(...values: T[]): T => values[Math.floor(random() * values.length)]!;
  const number = () => among(0, -0, 1e-7, 1 / 3, 12345.678901234567, -3, random() * 4000);
  const rings = () =>
    Array.from({ length: among(0, 1, 3) }, () =>
      Array.from({ length: among(1, 2) }, () => Array.from({ length: among(0, 6, 120) }, number)),
    );
  const annotationEdit = (): Pick<AnnotationEdit, "action" | "before" | "after"> => {
    const before = { rings: rings(), isbbox: false };
    const moved = translateRings(before.rings, among(1, 0.1, -7.25), 0);
    return among<Pick<AnnotationEdit, "action" | "before" | "after">>(
      { action: "modify", before, after: { rings: moved, isbbox: false } },
      { action: "modify", before, after: { rings: rings() } },
      { action: "modify", before: { rings: null }, after: { rings: rings() } },
      { action: "modify", before: { category_id: 1 }, after: { category_id: 2 } },
      { action: "create", before: {}, after: { rings: rings(), metadata: { lengths: "a", rings: [1] } } },
      { action: "delete", before: { ...before, keypoints: [{ label: 1, x: 1.5, y: 2, v: 2 }] }, after: {} },
    );
  };
  const areAlike = among(true, false);
  return Array.from({ length: 100 + Math.floor(random() * 900) }, () => {
    const common = { uuid: randomUUID(), image_id: 3, base: 1 };
    const edit: Edit = among(
      { ...common, subject: "annotation", target: randomUUID(), ...annotationEdit() } as Edit,
      { ...common, subject: "image", action: "modify", before: { labels: [1] }, after: { labels: [2] } } as Edit,
    );
    const more = {
      ...(among(true, false) && { rest: { rings: rings(), color: "#ffffff" } }),
      ...(areAlike || among(true, false) ? { place: PLACE } : {}),
    };
    const saw = areAlike ? 4 : among(4, 5);
    return { uuid: edit.uuid, client: "c", image_id: 3, edit, saw, state: "queued" as const, ...more };
  });
}

test("packed rows come back exactly as they were, whatever they change", () => {
  const random = seededRandom(5);
  for (let i = 0; i < 6; i++) {
    const rows = randomRows(random);
    expect(stored(rows)).toEqual(rows);
  }
});

test("packs of earlier versions, which have the rows themselves, are read", () => {
  const [first, ...others] = randomRows(seededRandom(6));
  if (!first) throw new Error("rows expected");
  const rows = [first, ...others];
  const old: Pack = { seq: 7, uuid: first.uuid, state: "packed", image_id: 3, size: rows.length, rows };
  expect(unpackRows(old).map(({ seq: _, ...row }) => row)).toEqual(rows);
  expect(unpackRows(old)[0]?.seq).toBe(7);
});
