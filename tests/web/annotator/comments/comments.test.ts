import { expect, test } from "vitest";
import type { Change } from "../../../../shared/edits/edit";
import type { Comment } from "../../../../shared/entities/comment";
import { draftKeys } from "../../../../web/annotator/comments/Comments";
import { placeOf, threadsOf, unreadIn } from "../../../../web/annotator/comments/threads";
import { sceneOf, TestEditor } from "../testEditor";

const comment = (uuid: string, more: Partial<Comment> = {}): Comment => ({
  ...{ uuid, thread: null, x: 10, y: 20, annotation: null, box: null, text: uuid, resolved: false },
  ...{ resolved_by: null, creator: "ada", created_at: "2026-01-01T00:00:00Z", edited_at: null },
  ...{ deleted: false, revision: 1, ...more },
});
const mapOf = (...comments: Comment[]) => new Map(comments.map((each) => [each.uuid, each]));

test("groups comments into threads that keep their numbers, and leaves out those without a live comment", () => {
  const threads = threadsOf(
    mapOf(
      comment("a", { deleted: true }),
      comment("b", { deleted: true, text: "" }),
      comment("b2", { thread: "b", created_at: "2026-01-03T00:00:00Z" }),
      comment("b1", { thread: "b", created_at: "2026-01-02T00:00:00Z" }),
      comment("c"),
      comment("lost", { thread: "unknown" }),
    ),
  );
  expect(threads.map(({ first, comments, number }) => [first.uuid, comments.map(({ uuid }) => uuid), number])).toEqual([
    ["b", ["b1", "b2"], 2],
    ["c", ["c"], 3],
  ]);
});

test("a place keeps its share of a box that moves, and stays where it is without one", () => {
  const place = { x: 15, y: 30, box: [10, 20, 10, 20] as [number, number, number, number] };
  expect(placeOf(place, { minX: 100, minY: 200, maxX: 120, maxY: 220 })).toEqual({ x: 110, y: 210 });
  expect(placeOf(place, null)).toEqual({ x: 15, y: 30 });
  expect(placeOf({ ...place, box: [15, 30, 0, 0] }, { minX: 0, minY: 0, maxX: 4, maxY: 4 })).toEqual({ x: 2, y: 2 });
});

test("counts other users' comments since the thread was last read", () => {
  const [thread] = threadsOf(
    mapOf(comment("a"), comment("b", { thread: "a", creator: "bob", created_at: "2026-01-02T00:00:00Z" })),
  );
  expect(unreadIn(thread!, "ada", undefined)).toBe(1);
  expect(unreadIn(thread!, "ada", "2026-01-02T00:00:00Z")).toBe(0);
  expect(unreadIn(thread!, "bob", undefined)).toBe(1);
  expect(unreadIn(thread!, null, undefined)).toBe(0);
});

test("a comment on a place is recorded, and undo leaves it alone", () => {
  const editor = new TestEditor(sceneOf());
  const { comments, document, history } = editor.editor;
  editor.press("y");
  expect(comments.store.getState().isPlacing).toBe(true);
  comments.placeAt({ x: -5, y: 7 });
  comments.begin("Hm");
  const { open, begun, isPlacing } = comments.store.getState();
  expect([begun, isPlacing]).toEqual([null, false]);
  expect(editor.recorded).toMatchObject([
    {
      subject: "comment",
      action: "create",
      target: open,
      base: 0,
      after: { x: 0, y: 7, annotation: null, text: "Hm" },
    },
  ]);
  expect(history.store.getState().undo).toBeNull();
  editor.press("control", "z");
  comments.reply(open!, "Ah");
  comments.resolve(open!, true);
  const restore = comments.delete(document.state.comments.get(open!)!);
  expect(comments.threads()).toMatchObject([{ first: { deleted: true, text: "" }, comments: [{ text: "Ah" }] }]);
  restore();
  expect(comments.threads()).toMatchObject([{ first: { text: "Hm", resolved: true }, comments: [{}, {}] }]);
  expect(editor.recorded.map(({ action }) => action)).toEqual(["create", "create", "modify", "delete", "create"]);
});

test("changes of other users arrive, and an older change does not replace a newer one", () => {
  const { document, comments } = new TestEditor(sceneOf()).editor;
  const change = (revision: number, more: object) => ({
    ...{ image_revision: 1 + revision, subject: "comment" as const, subject_id: "c", revision, edit: null },
    ...{ client: "other", user: "bob", action: "modify" as const, fields: {}, ...more },
  });
  const fields = { thread: null, x: 1, y: 2, text: "Hm", creator: "bob", created_at: "2026-01-01T00:00:00Z" };
  expect(document.applyRemote([change(1, { action: "create", fields })], 2)).toBe(true);
  document.applyRemote([change(2, { fields: { resolved: true, resolved_by: "bob" } })], 3);
  document.applyRemote([change(1, { action: "create", fields })], 3);
  expect(comments.threads()).toMatchObject([{ first: { text: "Hm", creator: "bob", resolved: true, revision: 2 } }]);
});

test("a change of a comment that was changed again since leaves the newer text and mark", () => {
  const scene = sceneOf();
  scene.comments = [comment("a")];
  const editor = new TestEditor(scene);
  const { document, comments } = editor.editor;
  comments.resolve("a", true);
  comments.resolve("a", false);
  comments.rewrite("a", "Newer");
  const change = (revision: number, fields: object, more: object = {}) => ({
    ...{ image_revision: revision, subject: "comment" as const, subject_id: "a", revision, edit: null },
    ...{ client: "own", user: "ada", action: "modify" as const, fields: fields as Change["fields"], ...more },
  });
  const own = { edit: editor.recorded[0]!.uuid };
  document.applyRemote([change(2, { resolved: true, resolved_by: "ada" }, own)], 2);
  expect(document.state.comments.get("a")).toMatchObject({ resolved: false, resolved_by: null, text: "Newer" });
  document.applyRemote([change(3, { resolved: true, resolved_by: "bob" }, { client: "other", user: "bob" })], 3);
  expect(document.state.comments.get("a")).toMatchObject({ resolved: false, resolved_by: null, revision: 3 });
});

test("texts whose comment another user deletes are offered to be continued, as a reply or as a new thread", () => {
  const scene = sceneOf();
  scene.comments = [comment("a", { creator: "bob" }), comment("b", { thread: "a" }), comment("c")];
  const editor = new TestEditor(scene);
  const { document, comments } = editor.editor;
  comments.keepDraft(draftKeys.changed("b"), "Longer");
  comments.keepDraft(draftKeys.changed("a"), "My first");
  comments.keepDraft(draftKeys.reply("a"), "Reply");
  comments.keepDraft(draftKeys.reply("c"), "Other");
  const remove = (uuid: string, revision: number) =>
    document.applyRemote(
      [
        {
          ...{ image_revision: revision, subject: "comment", subject_id: uuid, revision: 2, edit: null },
          ...{ client: "other", user: "bob", action: "delete", fields: {} },
        },
      ],
      revision,
    );
  remove("b", 2);
  expect(editor.actions).toHaveLength(1);
  editor.actions[0]!.onClick();
  expect(comments.store.getState().open).toBe("a");
  expect(comments.draftOf(draftKeys.reply("a"))).toBe("Reply\nLonger");
  remove("c", 3);
  expect(editor.actions).toHaveLength(2);
  editor.actions[1]!.onClick();
  expect(comments.store.getState()).toMatchObject({ open: null, begun: { x: 10, y: 20 } });
  expect(comments.draftOf(draftKeys.begun)).toBe("Other");
});

test("a text that began a thread is offered when the image is opened again, and its own deletion ends a change", () => {
  const scene = sceneOf();
  scene.comments = [comment("a")];
  const editor = new TestEditor(scene);
  const { comments } = editor.editor;
  comments.placeAt({ x: 3, y: 4 });
  comments.keepDraft(draftKeys.begun, "Hm");
  comments.keepDraft(draftKeys.changed("a"), "Longer");
  comments.delete(comment("a"));
  expect([...editor.drafts.keys()]).toEqual([draftKeys.begun]);
  const again = new TestEditor(scene, [], undefined, undefined, undefined, editor.drafts);
  expect(again.messages).toEqual(["info: Hm"]);
  again.actions[0]!.onClick();
  expect(again.editor.comments.store.getState()).toMatchObject({ begun: { x: 3, y: 4 } });
});
