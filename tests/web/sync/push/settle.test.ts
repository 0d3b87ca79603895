import { describe, expect, it } from "vitest";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import type { JournalRow } from "../../../../web/sync/journal/journal";
import { settle } from "../../../../web/sync/push/settle";

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

function row(
  seq: number,
  { target = 1, after = { color: "#112233" } as AnnotationEdit["after"], base = 1, client = "mine", saw = 0 } = {},
): JournalRow {
  const edit: AnnotationEdit = {
    uuid: uuid(seq),
    image_id: 7,
    base,
    subject: "annotation",
    target: uuid(1000 + target),
    action: "modify",
    before: {},
    after,
  };
  return { seq, uuid: edit.uuid, client, image_id: 7, edit, saw, state: "queued" };
}

const applied = (seq: number, revision: number) => ({ uuid: uuid(seq), status: "applied" as const, revision });
const conflict = (seq: number, fields: string[]) => ({
  uuid: uuid(seq),
  status: "conflict" as const,
  fields,
  stored: { revision: 9 },
  reason: "Changed by bob",
});

describe("settle", () => {
  it("removes what the server has applied or seen before", () => {
    const rows = [row(1), row(2, { target: 2 })];
    const answers = [applied(1, 2), { uuid: uuid(2), status: "seen" as const, revision: 4 }];
    expect(settle(rows, [], answers)).toEqual({ done: [1, 2], changed: [], drawnIn: [] });
  });

  it("keeps edits without a response", () => {
    expect(settle([row(1), row(2)], [], [applied(1, 2)]).done).toEqual([1]);
  });

  it("turns a refused edit into a conflict with both versions, and later edits of that field with it", () => {
    const later = [row(2), row(3, { after: { color: "#445566" } }), row(4, { target: 2 })];
    const { done, changed, drawnIn } = settle([row(1)], later, [conflict(1, ["color"])]);
    expect(done).toEqual([]);
    expect(drawnIn.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(changed.map(({ seq, state }) => [seq, state])).toEqual([
      [1, "draft"],
      [2, "draft"],
      [3, "draft"],
    ]);
    expect(changed[0]).toMatchObject({ stored: { revision: 9 }, reason: "Changed by bob", fields: ["color"] });
  });

  it("tells edits that the server refuses from those of a subject that it has lost", () => {
    const refused = { status: "refused" as const, reason: "This category was deleted.", code: "not_found" as const };
    const answers = [
      { uuid: uuid(1), ...refused },
      { uuid: uuid(2), ...refused, revision: 0 },
    ];
    const { changed } = settle([row(1), row(2, { target: 2 })], [], answers);
    expect(changed.map(({ state, isRefused }) => [state, isRefused])).toEqual([
      ["draft", true],
      ["draft", undefined],
    ]);
  });

  it("lets later edits of another field of the same subject continue", () => {
    const later = [{ ...row(2), edit: { ...row(2).edit, after: { metadata: { name: "x" } } } } as JournalRow];
    expect(settle([row(1)], later, [conflict(1, ["color"])]).changed.map(({ seq }) => seq)).toEqual([1]);
  });

  it("bases later edits of the same client on the new revision", () => {
    const [changed] = settle([row(1)], [row(2)], [applied(1, 2)]).changed;
    expect(changed?.edit.base).toBe(2);
  });

  it("bases another tab's later edit on the new revision only if that tab had seen the earlier one", () => {
    const blind = row(2, { client: "other", saw: 0 });
    const seeing = row(3, { client: "other", saw: 1 });
    const { changed } = settle([row(1)], [blind, seeing], [applied(1, 2)]);
    expect(changed.map(({ seq, edit }) => [seq, edit.base])).toEqual([[3, 2]]);
  });

  it("leaves a later edit of another field on its base if another user's change may lie in between", () => {
    const [earlier, later] = [row(1, { base: 5 }), row(2, { base: 5, after: { metadata: {} } })];
    const other = row(3, { base: 5, after: { metadata: {} }, client: "other", saw: 1 });
    const both = row(4, { base: 5, after: { color: "#445566", metadata: {} } });
    expect(settle([earlier], [later, other, both], [applied(1, 7)]).changed).toEqual([]);
    expect(settle([earlier], [later], [applied(1, 6)]).changed.map(({ edit }) => edit.base)).toEqual([6]);
  });

  it("follows the revisions that its own edits were given, one after the other", () => {
    const sent = [row(1, { base: 5 }), row(2, { base: 5 })];
    const { changed } = settle(sent, [row(3, { base: 5, after: { metadata: {} } })], [applied(1, 6), applied(2, 7)]);
    expect(changed.map(({ edit }) => edit.base)).toEqual([7]);
  });

  it("bases a later edit that changes only acknowledged fields on the new revision", () => {
    const again = row(2, { base: 5, client: "other", saw: 1 });
    expect(settle([row(1, { base: 5 })], [again], [applied(1, 9)]).changed.map(({ edit }) => edit.base)).toEqual([9]);
    const older = row(3, { base: 4, client: "other", saw: 1 });
    expect(settle([row(1, { base: 5 })], [older], [applied(1, 9)]).changed).toEqual([]);
  });
});
