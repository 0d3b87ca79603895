import { describe, expect, it } from "vitest";
import type { AnnotationEdit, Edit } from "../../../../shared/edits/edit";
import type { JournalRow } from "../../../../web/sync/journal/journal";
import { copyOfRows, squashRows, versionsOf } from "../../../../web/sync/journal/squash";

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const corner = (size: number) => [
  [
    [0, 0],
    [size, 0],
    [size, size],
    [0, size],
  ],
];
const square = corner(9);
const bigger = corner(20);
const whole = { category_id: 4, rings: square, isbbox: false, color: "#112233", metadata: {}, keypoints: null };
const { rings: _, ...withoutRings } = whole;

/** Returns a conflict row. `said` contains the server's response. */
function draft(seq: number, edit: Partial<AnnotationEdit>, said: Partial<JournalRow> = {}): JournalRow {
  const about = { uuid: uuid(seq), image_id: 7, base: 3, subject: "annotation" as const, target: uuid(1000) };
  const made = { ...about, action: "modify" as const, before: {}, after: {}, ...edit };
  return {
    seq,
    uuid: made.uuid,
    client: "mine",
    image_id: 7,
    edit: made,
    saw: 0,
    state: "draft",
    stored: null,
    ...said,
  };
}

const sent = (...rows: JournalRow[]) => squashRows(rows)?.edit;

const creation: Partial<AnnotationEdit> = { action: "create", base: 0, after: { ...whole, rings: [] } };
const shaping = { base: 0, before: { rings: [] }, after: { rings: square } };
const nothingLeft = { revision: 0 };

describe("the squash of an annotation's conflicts", () => {
  it("the conflicts of a new annotation become one creation with all that was drawn in it", () => {
    const edit = sent(draft(1, creation), draft(2, shaping, nothingLeft), draft(3, { after: { color: "#ff0000" } }));
    expect(edit).toMatchObject({ action: "create", target: uuid(1000), after: { ...whole, color: "#ff0000" } });
    expect([uuid(1), uuid(2), uuid(3)]).not.toContain(edit?.uuid);
  });

  it("several changes become one from the first version to the last one, on the live revision", () => {
    const live = { stored: { revision: 8 } };
    const rows = [
      draft(1, { before: { rings: [], color: "#000000" }, after: { rings: square, color: "#112233" } }, live),
      draft(2, { before: { rings: square }, after: { rings: bigger } }, live),
    ];
    const after = { rings: bigger, color: "#112233" };
    expect(sent(...rows)).toMatchObject({ action: "modify", base: 8, before: {}, after });
    const unsaid = rows.map((row) => ({ ...row, stored: null }));
    expect(sent(...unsaid)).toMatchObject({ base: 3, before: { rings: [], color: "#000000" }, after });
  });

  it("the squash is a complete creation if the server no longer has the annotation", () => {
    const shape = draft(
      1,
      { before: { rings: square }, after: { rings: bigger } },
      { rest: withoutRings, ...nothingLeft },
    );
    expect(sent(shape)).toMatchObject({ action: "create", base: 0, after: { ...whole, rings: bigger } });
    expect(squashRows([shape])?.annotations.get(uuid(1000))).toEqual({ ...whole, rings: bigger });
  });

  it("rows of an earlier version are squashed by their content", () => {
    const old = draft(1, { before: { rings: square }, after: { rings: bigger } }, nothingLeft);
    expect(sent(old)).toMatchObject({ action: "create", after: { rings: bigger } });
  });

  it("a deleted annotation is restored with the user's change only, because other users may have changed the rest", () => {
    const row = draft(1, { before: { rings: square }, after: { rings: bigger } }, { rest: withoutRings, revision: 9 });
    expect(sent(row)).toMatchObject({ action: "create", base: 9 });
    expect(sent(row)?.after).toEqual({ rings: bigger });
  });

  it("the squash is empty if a new annotation was deleted again, or a deleted one is already gone", () => {
    const deletion = { action: "delete", before: whole } as const;
    expect(sent(draft(1, creation), draft(2, deletion, nothingLeft))).toBeUndefined();
    expect(sent(draft(1, deletion, nothingLeft))).toBeUndefined();
    expect(sent(draft(1, deletion, { revision: 9 }))).toBeUndefined();
  });

  it("the squash is a deletion if a changed annotation was deleted in the end", () => {
    const live = { stored: { revision: 8 } };
    const rows = [draft(1, { after: { color: "#ff0000" } }, live), draft(2, { action: "delete", before: whole }, live)];
    expect(sent(...rows)).toMatchObject({ action: "delete", base: 8, after: {} });
  });

  it("the squash is only the change if the annotation was deleted and restored in between", () => {
    const live = { stored: { revision: 8 } };
    const red = { ...whole, color: "#ff0000" };
    const rows = [
      draft(1, { before: { color: "#112233" }, after: { color: "#ff0000" } }, live),
      draft(2, { action: "delete", before: red }, live),
      draft(3, { action: "create", after: red }, live),
    ];
    expect(sent(...rows)?.after).toEqual({ color: "#ff0000" });
    expect(sent(...rows.slice(1))).toBeUndefined();
  });
});

it("the conflicts of an image become one change", () => {
  const about = { image_id: 7, base: 3, subject: "image", action: "modify" } as const;
  const edits: Edit[] = [
    { ...about, uuid: uuid(1), before: { labels: [] }, after: { labels: [1] } },
    { ...about, uuid: uuid(2), before: { labels: [1] }, after: { labels: [1, 2] } },
  ];
  const rows = edits.map((edit, i) => ({ ...draft(i, {}), edit, revision: 12 }));
  expect(sent(...rows)).toMatchObject({ subject: "image", base: 12, before: {}, after: { labels: [1, 2] } });
});

describe("the versions of an annotation in conflict", () => {
  const { color: _color, ...rest } = whole;
  const theirs = { ...whole, rings: bigger, revision: 8, id: 12 };

  it("are the one before, the user's and the server's", () => {
    const rows = [
      draft(1, { before: { color: "#112233" }, after: { color: "#ff0000" } }, { rest, stored: theirs }),
      draft(
        2,
        { before: { rings: square }, after: { rings: corner(3) } },
        { rest: { color: "#ff0000" }, stored: theirs },
      ),
    ];
    expect(versionsOf(rows)).toEqual({
      base: whole,
      mine: { ...whole, color: "#ff0000", rings: corner(3) },
      theirs,
    });
  });

  it("have no user's version after a deletion, no server's version if it is deleted there, and none before a creation", () => {
    expect(versionsOf([draft(1, { action: "delete", before: whole }, { stored: theirs })])).toMatchObject({
      mine: null,
    });
    expect(versionsOf([draft(1, { after: { color: "#ff0000" } })])).toMatchObject({ theirs: null });
    expect(versionsOf([draft(1, creation, { stored: theirs })])).toMatchObject({ base: null, theirs });
  });

  it("the user's version becomes a new annotation to keep both", () => {
    const rows = [
      draft(1, { before: { rings: square }, after: { rings: corner(3) } }, { rest: withoutRings, stored: theirs }),
    ];
    const copy = copyOfRows(rows);
    expect(copy?.edit).toMatchObject({ action: "create", base: 0, image_id: 7, after: { ...whole, rings: corner(3) } });
    expect(copy?.edit.target).not.toBe(uuid(1000));
    expect(copy?.annotations.get(copy.edit.target)).toEqual(copy?.edit.after);
  });

  it("cannot both be kept if the user deleted it, or if the edits do not show all of its fields", () => {
    expect(copyOfRows([draft(1, { action: "delete", before: whole }, { stored: theirs })])).toBeUndefined();
    expect(copyOfRows([draft(1, { after: { color: "#ff0000" } }, { stored: theirs })])).toBeUndefined();
  });
});
