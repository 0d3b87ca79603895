import { expect, test } from "vitest";
import { applyCommentChange, applyCommentEdit } from "../../../shared/edits/comments";
import type { Change, CommentEdit } from "../../../shared/edits/edit";

const made = { user: "ada", at: "2026-01-01T00:00:00.000Z" };
const common = { uuid: "e", image_id: 1, base: 0, subject: "comment", target: "c", before: {} } as const;
const create: CommentEdit = { ...common, action: "create", after: { x: 1, y: 2, text: "Hm" } };
const change = (revision: number, more: Partial<Change>): Change => ({
  ...{ image_revision: revision, subject: "comment", subject_id: "c", revision, action: "modify", fields: {} },
  ...{ edit: null, client: null, user: "bob", ...more },
});

test("creates, changes, resolves, deletes and restores a comment", () => {
  const first = applyCommentEdit(undefined, create, made);
  expect(first).toMatchObject({ uuid: "c", text: "Hm", creator: "ada", resolved: false, revision: 0 });
  const changed = applyCommentEdit(first, { ...common, action: "modify", after: { text: "Ah" } }, made);
  expect(changed).toMatchObject({ text: "Ah", edited_at: made.at, resolved_by: null });
  const resolved = applyCommentEdit(changed, { ...common, action: "modify", after: { resolved: true } }, made);
  expect(resolved).toMatchObject({ resolved: true, resolved_by: "ada" });
  const deleted = applyCommentEdit(resolved, { ...common, action: "delete", after: {} }, made);
  expect(deleted).toMatchObject({ deleted: true, text: "", x: 1 });
  expect(applyCommentEdit(deleted, create, made)).toMatchObject({ deleted: false, text: "Hm" });
  expect(applyCommentEdit(undefined, { ...common, action: "modify", after: { text: "x" } }, made)).toBeUndefined();
});

test("applies each stored change once, and keeps fields with pending edits", () => {
  const fields = { text: "Hm", x: 1, y: 2, creator: "bob", created_at: made.at };
  const first = applyCommentChange(undefined, change(1, { action: "create", fields }));
  expect(first).toMatchObject({ text: "Hm", creator: "bob", revision: 1 });
  const kept = applyCommentChange(first, change(2, { fields: { text: "Ah", resolved: true } }), new Set(["text"]));
  expect(kept).toMatchObject({ text: "Hm", resolved: true, revision: 2 });
  expect(applyCommentChange(kept, change(2, { fields: { resolved: false } }))).toBe(kept);
  expect(applyCommentChange(kept, change(3, { action: "delete" }))).toMatchObject({ deleted: true, text: "" });
  const deleted = applyCommentChange(kept, change(3, { action: "delete" }));
  const resolved = applyCommentChange(deleted, change(4, { fields: { resolved: true, resolved_by: "bob" } }));
  expect(resolved).toMatchObject({ deleted: true, text: "", resolved: true, revision: 4 });
  expect(applyCommentChange(resolved, change(5, { action: "create", fields }))).toMatchObject({ deleted: false });
  expect(applyCommentChange(undefined, change(2, { fields: { text: "?" } }))).toBeUndefined();
});
