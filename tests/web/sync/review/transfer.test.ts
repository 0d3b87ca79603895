import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { AnnotationEdit, Edit, ImageEdit } from "../../../../shared/edits/edit";
import type { JournalRow, Place } from "../../../../web/sync/journal/journal";
import { transfer } from "../../../../web/sync/review/transfer";

const PLACE: Place = {
  dataset: "Town",
  path: "street.png",
  width: 640,
  height: 480,
  categories: { 3: "lamp", 4: "tree" },
};
const WHOLE = { rings: [[[1, 1, 5, 1, 5, 5]]], isbbox: false, color: "#112233", metadata: {}, keypoints: null };

let seq = 0;
const row = (edit: Edit, more: Partial<JournalRow> = {}): JournalRow => ({
  ...{ seq: ++seq, uuid: edit.uuid, client: "tab", image_id: 7, edit, saw: 0, place: PLACE, state: "queued" },
  ...more,
});

function annotationEdit(action: AnnotationEdit["action"], target: string, more: Partial<AnnotationEdit> = {}) {
  const common = { uuid: randomUUID(), image_id: 7, base: 0, subject: "annotation" as const, target, action };
  const after = action === "create" ? { ...WHOLE, category_id: 3 } : {};
  return { ...common, before: {}, after, ...more } as AnnotationEdit;
}

/** Returns a scene in which the image has id 12 and the categories lamp (31) and tree (41). */
function scene(annotations: { uuid: string; revision: number }[] = [], names = ["lamp", "tree"]): AnnotatorScene {
  const categories = names.map((name, i) => ({
    id: 31 + 10 * i,
    name,
    revision: 2,
    annotations: i ? [] : annotations,
  }));
  return { image: { id: 12, revision: 9 }, dataset: { name: "Town" }, categories } as unknown as AnnotatorScene;
}

describe("rows of another installation on an image of this one", () => {
  it("rows get the image's id and the categories of the same names", () => {
    const target = randomUUID();
    const { changes, done, missing } = transfer([row(annotationEdit("create", target))], PLACE, scene(), true);
    expect(changes.map(({ edit }) => edit)).toMatchObject([
      { image_id: 12, subject: "annotation", action: "create", target, base: 0, after: { category_id: 31 } },
    ]);
    expect([done.length, missing]).toEqual([1, []]);
  });

  it("rows change an existing annotation, on its revision here", () => {
    const target = randomUUID();
    const edit = annotationEdit("modify", target, {
      base: 8,
      before: { color: "#000000" },
      after: { color: "#ffffff" },
    });
    const { changes } = transfer([row(edit)], PLACE, scene([{ uuid: target, revision: 5 }]), true);
    expect(changes.map(({ edit }) => edit)).toMatchObject([
      { action: "modify", target, base: 5, before: {}, after: { color: "#ffffff" } },
    ]);
  });

  it("rows create a missing annotation again, completely", () => {
    const target = randomUUID();
    const edit = annotationEdit("modify", target, {
      base: 8,
      before: { color: "#000000" },
      after: { color: "#ffffff" },
    });
    const { color: _, ...rest } = WHOLE;
    const rows = [row(edit, { rest: { ...rest, category_id: 4 } })];
    const { changes } = transfer(rows, PLACE, scene(), true);
    expect(changes[0]?.edit).toMatchObject({
      ...{ action: "create", target, base: 0 },
      after: { ...rest, color: "#ffffff", category_id: 41 },
    });
  });

  it("rows become copies with new uuids on a different image", () => {
    const target = randomUUID();
    const rows = [
      row(annotationEdit("create", target)),
      row(annotationEdit("modify", target, { before: { color: "#112233" }, after: { color: "#ffffff" } })),
    ];
    const { changes, done } = transfer(rows, PLACE, scene(), false);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.edit).toMatchObject({ action: "create", after: { color: "#ffffff" } });
    expect(changes[0]?.edit).not.toMatchObject({ target });
    expect(done).toEqual(rows.map((each) => each.seq));
  });

  it("rows delete nothing if there is nothing to delete, and count as completed", () => {
    const edit = annotationEdit("delete", randomUUID(), { base: 3, before: { ...WHOLE, category_id: 3 } });
    expect(transfer([row(edit)], PLACE, scene(), true)).toMatchObject({ changes: [], missing: [] });
    expect(transfer([row(edit)], PLACE, scene(), true).done).toHaveLength(1);
  });

  it("rows stay if the dataset has no category of the name, and the name is reported", () => {
    const rows = [row(annotationEdit("create", randomUUID()))];
    expect(transfer(rows, PLACE, scene([], ["tree"]), true)).toEqual({ changes: [], done: [], missing: ["lamp"] });
  });

  it("rows never use a category by its id if its name is known", () => {
    const rows = [row(annotationEdit("create", randomUUID()))];
    const other = { ...scene([], []), categories: [{ id: 3, name: "kettle", revision: 1, annotations: [] }] };
    expect(transfer(rows, PLACE, other as unknown as AnnotatorScene, true).missing).toEqual(["lamp"]);
  });

  it("rows of earlier versions, which contain no names, are applied by id", () => {
    const rows = [
      row(annotationEdit("create", randomUUID(), { after: { ...WHOLE, category_id: 41 } }), { place: undefined }),
    ];
    expect(transfer(rows, undefined, scene(), false).changes[0]?.edit).toMatchObject({ after: { category_id: 41 } });
  });

  it("rows transfer labels by name, on the image's revision", () => {
    const edit: ImageEdit = {
      ...{ uuid: randomUUID(), image_id: 7, base: 2, subject: "image", action: "modify" },
      before: { labels: [] },
      after: { labels: [4, 3] },
    };
    const { changes } = transfer([row(edit)], PLACE, scene(), true);
    expect(changes.map(({ edit }) => edit)).toMatchObject([
      { subject: "image", image_id: 12, base: 9, before: {}, after: { labels: [41, 31] } },
    ]);
  });

  it("rows change a category of the same name", () => {
    const edit: Edit = {
      ...{ uuid: randomUUID(), image_id: 7, base: 1, subject: "category", target: 4, action: "modify" },
      before: { color: "#000000" },
      after: { color: "#00ff00" },
    };
    expect(transfer([row(edit)], PLACE, scene(), true).changes[0]?.edit).toMatchObject({ target: 41, base: 2 });
  });
});
