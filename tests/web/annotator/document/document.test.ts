import { expect, test } from "vitest";
import type { Change, Edit } from "../../../../shared/edits/edit";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const change = (fields: object, more: Partial<Change> = {}): Change => ({
  image_revision: 9,
  subject: "annotation",
  subject_id: uuidOf(1),
  revision: 9,
  action: "modify",
  fields: fields as Change["fields"],
  edit: null,
  client: "somebodyelse",
  user: "bob",
  ...more,
});

test("a response gives an annotation its id, and the next edit is based on the revision in the response", async () => {
  const editor = new TestEditor().choose("BBox").drag([20, 10], [80, 60]);
  editor.respond(editor.recorded[0]!, { status: "applied", id: 42, revision: 1 });
  await editor.settled();
  expect(editor.selected).toMatchObject({ id: 42, revision: 1 });
  editor.editor.commands.rename(editor.selected!.uuid, "tom");
  expect(editor.recorded.at(-1)?.base).toBe(1);
});

test("a response that shows a gap does not base the next edit on another user's change", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.commands.rename(uuidOf(1), "tom");
  // Revision 4 is another user's, and unknown here.
  editor.respond(editor.recorded[0]!, { status: "applied", id: 1, revision: 5 });
  await editor.settled();
  expect(editor.caughtUp).toBe(1);
  editor.editor.commands.modify(uuidOf(1), { color: "#123456" }, "Change");
  expect(editor.recorded[1]?.base).toBe(3);
});

test("after a catch-up both users' changes are present and the next edit is based on them", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.commands.rename(uuidOf(1), "tom");
  editor.respond(editor.recorded[0]!, { status: "applied", id: 1, revision: 5 });
  await editor.settled();
  const mine = { revision: 5, edit: editor.recorded[0]!.uuid };
  editor.editor.document.applyRemote(
    [change({ color: "#0000ff" }, { revision: 4 }), change({ metadata: { name: "tom" } }, mine)],
    9,
  );
  expect(editor.annotations[0]).toMatchObject({ color: "#0000ff", metadata: { name: "tom" }, revision: 5 });
});

test("a remote change hidden under a pending edit does not count as seen", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.editor.document.applyRemote([change({ rings: [[[1, 1, 9, 1, 9, 9]]] }, { revision: 4 })], 9);
  expect(editor.selected).toMatchObject({ revision: 3, rings: [[[80, 80, 200, 100, 200, 200, 100, 200]]] });
});

test("a remote change of another attribute is applied beneath a pending edit, and the next edit is based on both", async () => {
  const stored = annotationOf(1, { attributes: { pose: "front", parked: false } });
  const editor = new TestEditor(sceneOf([stored]));
  const { document, commands } = editor.editor;
  commands.modify(uuidOf(1), { attributes: { pose: "front", parked: true } }, "Change");
  document.applyRemote([change({ attributes: { pose: "rear", parked: false } }, { revision: 4 })], 9);
  expect(document.annotation(uuidOf(1))).toMatchObject({ attributes: { pose: "rear", parked: true }, revision: 4 });
  editor.respond(editor.recorded[0]!, { status: "applied", id: 1, revision: 5 });
  await editor.settled();
  expect(editor.caughtUp).toBe(0);
  commands.delete(uuidOf(1));
  expect(editor.recorded.at(-1)).toMatchObject({ action: "delete", base: 5 });
});

test("a remote change of the attribute that a pending edit changes does not count as seen", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { attributes: { pose: "front" } })]));
  const { document, commands } = editor.editor;
  commands.modify(uuidOf(1), { attributes: { pose: "side" } }, "Change");
  commands.modify(uuidOf(1), { attributes: { pose: "up" } }, "Change");
  document.applyRemote([change({ attributes: { pose: "rear" } }, { revision: 4 })], 9);
  expect(document.annotation(uuidOf(1))).toMatchObject({ attributes: { pose: "up" }, revision: 3 });
});

test("an own edit that arrives as a change is not overwritten by earlier ones, whose responses are missing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { revision: 5, attributes: { pose: "side" } })]));
  const { document, commands } = editor.editor;
  for (const pose of ["up", "front"]) commands.modify(uuidOf(1), { attributes: { pose } }, "Change");
  const own = { revision: 7, edit: editor.recorded[1]!.uuid };
  document.applyRemote([change({ attributes: { pose: "front" } }, own)], 9);
  expect(document.annotation(uuidOf(1))).toMatchObject({ attributes: { pose: "front" } });
});

test("pending edits that a scene includes are not applied to it again, when it is opened and when it is reloaded", () => {
  const pending: Edit[] = ["up", "front"].map((pose, i) => ({
    ...{ uuid: uuidOf(20 + i), image_id: 7, base: 3, subject: "annotation", target: uuidOf(1), action: "modify" },
    ...{ before: { attributes: { pose: "side" } }, after: { attributes: { pose } } },
  }));
  const sceneWith = (pose: string, edits: string[]) => sceneOf([annotationOf(1, { attributes: { pose } })], { edits });
  const { document } = new TestEditor(sceneWith("rear", [uuidOf(20), uuidOf(21)]), pending).editor;
  const pose = () => document.annotation(uuidOf(1))?.attributes.pose;
  expect([pose(), document.pendingCount]).toEqual(["rear", 0]);
  // The first edit changed nothing on the server, so that the scene does not name it.
  const { document: later } = new TestEditor(sceneWith("rear", [uuidOf(21)]), pending).editor;
  expect([later.annotation(uuidOf(1))?.attributes.pose, later.pendingCount]).toEqual(["rear", 0]);
  const reopened = new TestEditor(sceneWith("up", [uuidOf(20)]), pending).editor.document;
  expect([reopened.annotation(uuidOf(1))?.attributes.pose, reopened.pendingCount]).toEqual(["front", 1]);
  reopened.replace(sceneWith("rear", [uuidOf(21)]));
  expect([reopened.annotation(uuidOf(1))?.attributes.pose, reopened.pendingCount]).toEqual(["rear", 0]);
});

test("a scene with another attribute of another user does not hold back the revision", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { attributes: { pose: "front" } })]));
  const { document, commands } = editor.editor;
  commands.modify(uuidOf(1), { attributes: { pose: "front", parked: true } }, "Change");
  document.replace(sceneOf([annotationOf(1, { revision: 4, attributes: { pose: "rear" } })]));
  expect(document.annotation(uuidOf(1))).toMatchObject({ attributes: { pose: "rear", parked: true }, revision: 4 });
});

test("a remote change is applied after an edit was stored, even if the response to the edit is missing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  const [mine] = editor.recorded;
  const theirs = [[[1, 1, 9, 1, 9, 9]]];
  editor.editor.document.applyRemote([change({ ...mine!.after }, { revision: 4, edit: mine!.uuid })], 8);
  editor.editor.document.applyRemote([change({ rings: theirs }, { revision: 5 })], 9);
  expect(editor.selected).toMatchObject({ rings: theirs, revision: 5 });
});

test("a stored edit is not removed by a scene that was read before it", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.document.expectReplacement();
  editor.click(150, 150).drag([100, 100], [80, 80]);
  editor.respond(editor.recorded[0]!, { status: "applied", id: 1, revision: 4 });
  await editor.settled();
  editor.editor.document.replace(sceneOf([annotationOf(1)]));
  expect(editor.selected).toMatchObject({ revision: 4, rings: [[[80, 80, 200, 100, 200, 200, 100, 200]]] });
});

test("a stored edit does not replace another user's later change when the scene is older than the edit", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.document.expectReplacement();
  editor.click(150, 150).drag([100, 100], [80, 80]);
  editor.respond(editor.recorded[0]!, { status: "applied", id: 1, revision: 4 });
  await editor.settled();
  const theirs = annotationOf(1, { revision: 5, rings: [[[1, 1, 9, 1, 9, 9]]] });
  editor.editor.document.replace(sceneOf([theirs]));
  expect(editor.annotations).toEqual([theirs]);
});

test("remote changes are applied, and unsent edits stay", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.editor.document.applyRemote([change({ rings: [[[1, 1, 9, 1, 9, 9]]], color: "#0000ff" })], 9);
  expect(editor.selected).toMatchObject({ color: "#0000ff", rings: [[[80, 80, 200, 100, 200, 200, 100, 200]]] });
  expect(editor.editor.document.state.image.revision).toBe(9);
});

test("an annotation that another user deletes is deselected", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150);
  editor.editor.document.applyRemote([change({}, { action: "delete" })], 9);
  expect(editor.annotations).toEqual([]);
  expect(editor.editor.selection.state.annotation).toBeNull();
  expect(editor.recorded).toEqual([]);
});

test("annotations of other users appear", () => {
  const editor = new TestEditor(sceneOf());
  const { uuid: _, ...fields } = annotationOf(4);
  editor.editor.document.applyRemote([change(fields, { action: "create", subject_id: uuidOf(4) })], 9);
  expect(editor.annotations).toMatchObject([{ id: 4, rings: [[SQUARE]], revision: 9 }]);
});

test("another user's annotation in an empty category is shown, unless the user has hidden the category", () => {
  const theirs = (n: number) => {
    const { uuid: _, ...fields } = annotationOf(n, { category_id: 2 });
    return change(fields, { action: "create", subject_id: uuidOf(n), revision: 1 });
  };
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.document.applyRemote([theirs(4)], 9);
  expect(editor.editor.layers.state.shown).toEqual(new Set([1, 2]));
  const other = new TestEditor(sceneOf([annotationOf(1)]));
  other.editor.layers.hideAll();
  other.editor.document.applyRemote([theirs(4)], 9);
  expect(other.editor.layers.state.shown).toEqual(new Set());
});

test("a change that is already known does nothing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.document.applyRemote([change({ color: "#000000" }, { revision: 3 })], 9);
  expect(editor.annotations).toEqual([annotationOf(1)]);
});

test("reloading keeps unsent edits on top, and records nothing", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).drag([100, 100], [80, 80]);
  editor.editor.document.replace(sceneOf([annotationOf(1, { color: "#0000ff", revision: 7 }), annotationOf(2)]));
  expect(editor.annotations).toHaveLength(2);
  expect(editor.selected).toMatchObject({ color: "#0000ff", rings: [[[80, 80, 200, 100, 200, 200, 100, 200]]] });
  expect(editor.recorded).toHaveLength(1);
});

test("a pending edit over another user's change does not base the next edit on that change", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { revision: 6 })]));
  editor.editor.commands.modify(uuidOf(1), { color: "#111111" }, "Change");
  editor.editor.document.replace(sceneOf([annotationOf(1, { color: "#0000ff", revision: 7 })]));
  expect(editor.annotations).toMatchObject([{ color: "#111111", revision: 6 }]);
  editor.editor.commands.modify(uuidOf(1), { color: "#222222" }, "Change");
  expect(editor.recorded.map(({ base }) => base)).toEqual([6, 6]);
});

test("an edit journalled before the image was opened does not base the next edit on another user's change", () => {
  const first = new TestEditor(sceneOf([annotationOf(1, { revision: 6 })]));
  first.editor.commands.modify(uuidOf(1), { color: "#111111" }, "Change");
  first.editor.commands.changeCategory(1, { color: "#111111" });
  const scene = sceneOf([annotationOf(1, { color: "#0000ff", revision: 7 })]);
  scene.categories[0] = { ...scene.categories[0]!, color: "#0000ff", revision: 2 };
  const second = new TestEditor(scene, first.recorded);
  expect(second.annotations).toMatchObject([{ color: "#111111", revision: 6 }]);
  expect(second.editor.document.category(1)).toMatchObject({ color: "#111111", revision: 1 });
});

test("one's own stored edits and remote changes of other fields do not count as unseen", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1, { revision: 6 })]));
  const { commands, document } = editor.editor;
  commands.modify(uuidOf(1), { color: "#111111" }, "Change");
  commands.modify(uuidOf(1), { color: "#222222", metadata: { name: "tom", place: 1 } }, "Change");
  for (const [color, metadata] of [
    ["#111111", {}],
    ["#222222", { place: 1, name: "tom" }],
    ["#ff0000", {}],
  ] as const) {
    document.replace(sceneOf([annotationOf(1, { color, metadata, rings: [[[1, 1, 9, 1, 9, 9]]], revision: 8 })]));
    expect(editor.annotations).toMatchObject([{ color: "#222222", revision: 8 }]);
  }
});

test("the next tick is not based on another user's ticks that are hidden by pending ones", () => {
  const editor = new TestEditor();
  const { document, labels } = editor.editor;
  labels.toggle(1);
  const theirs = { subject: "image", subject_id: "7", revision: 6 } as const;
  document.applyRemote([change({ labels: [2] }, theirs)], 6);
  expect(document.state.image).toMatchObject({ labels: [1], revision: 6 });
  labels.toggle(2);
  expect(editor.recorded.map(({ base }) => base)).toEqual([5, 5]);
});

test("one's own ticks returned by the server do not hold back the next tick", () => {
  const editor = new TestEditor();
  const { document, labels } = editor.editor;
  labels.toggle(1);
  labels.toggle(2);
  const mine = { subject: "image", subject_id: "7", revision: 6, edit: editor.recorded[0]!.uuid } as const;
  document.applyRemote([change({ labels: [1] }, mine)], 6);
  labels.toggle(1);
  expect(editor.recorded.map(({ base }) => base)).toEqual([5, 5, 6]);
});

test("ticks over another user's ticks keep the base that the user saw when the image is reloaded", () => {
  const editor = new TestEditor();
  const { document, labels } = editor.editor;
  labels.toggle(1);
  const scene = sceneOf();
  document.replace({ ...scene, image: { ...scene.image, labels: [2], revision: 9 } });
  labels.toggle(2);
  expect(editor.recorded.map(({ base }) => base)).toEqual([5, 5]);
  expect(document.state.image.revision).toBe(9);
});

test("edits journalled before a reload are applied over the server's response, and not recorded again", () => {
  const first = new TestEditor(sceneOf([annotationOf(1)])).choose("BBox").drag([20, 10], [80, 60]);
  first.editor.commands.delete(uuidOf(1));
  const second = new TestEditor(sceneOf([annotationOf(1)]), first.recorded);
  expect(second.annotations).toEqual(first.annotations);
  expect(second.recorded).toEqual([]);
});

test("an annotation that was already empty when loaded stays", () => {
  const empty = [annotationOf(1, { rings: [] }), annotationOf(2, { rings: null, bbox: [0, 0, 0, 0] })];
  const editor = new TestEditor(sceneOf(empty)).press("arrowdown").press("arrowright").press("escape");
  editor.move(10, 10);
  editor.editor.close();
  expect(editor.annotations).toEqual(empty);
  expect(editor.recorded).toEqual([]);
});

test("two polygons closed in quick succession are both in the shape", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).click(150, 150).choose("Polygon");
  editor.clicks([190, 110], [260, 110], [260, 150], [190, 150]).press("enter");
  editor.clicks([110, 190], [150, 190], [150, 260], [110, 260]).press("enter");
  await editor.settled();
  const inside = (x: number, y: number) => editor.editor.pointer.down(at(x, y));
  editor.choose("Select");
  expect([inside(250, 130), inside(130, 250)]).toEqual([true, true]);
});

test("the colour of a category is an edit that can be undone", () => {
  const editor = new TestEditor();
  editor.editor.commands.changeCategory(1, { color: "#123456" });
  expect(editor.editor.document.category(1)?.color).toBe("#123456");
  expect(editor.recorded).toMatchObject([{ subject: "category", target: 1, before: { color: "#00ff00" } }]);
  editor.press("control", "z");
  expect(editor.editor.document.category(1)?.color).toBe("#00ff00");
});

const ofCategory = (fields: object, revision: number) =>
  change(fields, { subject: "category", subject_id: "1", revision });

test("one's own edit of a category does not hide another user's change just before it", async () => {
  const editor = new TestEditor();
  const { document, commands } = editor.editor;
  commands.changeCategory(1, { color: "#123456" });
  // Revision 2 is another user's, and unknown here.
  editor.respond(editor.recorded[0]!, { status: "applied", revision: 3 });
  await editor.settled();
  expect(editor.caughtUp).toBe(1);
  expect(document.category(1)?.revision).toBe(1);
  const labels = { keypoint_labels: ["head"], keypoint_colors: ["#0000ff"], keypoint_label_ids: [1] };
  document.applyRemote([ofCategory(labels, 2), ofCategory({ color: "#123456" }, 3)], 9);
  expect(document.category(1)).toMatchObject({ ...labels, color: "#123456", revision: 3 });
});

test("the image must be reloaded if a category was also changed on another image", () => {
  const { document } = new TestEditor().editor;
  expect(document.applyRemote([ofCategory({ color: "#123456" }, 2)], 9)).toBe(true);
  expect(document.applyRemote([ofCategory({ color: "#654321" }, 4)], 10)).toBe(false);
  expect(document.category(1)).toMatchObject({ color: "#654321", revision: 2 });
});

test("the image must be reloaded if the revision stays behind after a pending edit has hidden the same change", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  const { document, commands } = editor.editor;
  commands.modify(uuidOf(1), { color: "#123456" }, "Colour");
  expect(document.applyRemote([change({ color: "#123456" }, { revision: 4 })], 9)).toBe(true);
  expect(document.applyRemote([change({ category_id: 2 }, { revision: 5 })], 10)).toBe(true);
  // The server had nothing to change.
  editor.respond(editor.recorded[0]!, { status: "applied", revision: 5 });
  await editor.settled();
  expect(document.applyRemote([change({ metadata: { name: "x" } }, { revision: 6 })], 11)).toBe(false);
  expect(document.annotation(uuidOf(1))).toMatchObject({ color: "#123456", category_id: 2, metadata: { name: "x" } });
});

test("the image must be reloaded if another user's move has added a hidden keypoint label to a category", () => {
  const { document } = new TestEditor(sceneOf([annotationOf(1)])).editor;
  const moved = { category_id: 2, keypoints: [{ label: 5, x: 10, y: 10, v: 2 }] };
  expect(document.applyRemote([change(moved, { revision: 4 })], 9)).toBe(false);
  expect(document.applyRemote([change(moved, { revision: 4 })], 10)).toBe(true);
});

test("labels ticked during an older catch-up stay ticked", async () => {
  const editor = new TestEditor();
  const { document, labels } = editor.editor;
  labels.toggle(1);
  labels.toggle(2);
  const [first, second] = editor.recorded;
  editor.respond(first!, { status: "applied", revision: 11 });
  editor.respond(second!, { status: "applied", revision: 12 });
  await editor.settled();
  const remoteChange = { subject: "image", subject_id: "1", client: null } as const;
  document.applyRemote([change({ labels: [1] }, { ...remoteChange, revision: 11, edit: first!.uuid })], 11);
  expect(document.state.image.labels).toEqual([1, 2]);
  document.applyRemote([change({ labels: [2] }, { ...remoteChange, revision: 13 })], 13);
  expect(document.state.image.labels).toEqual([2]);
});

test("a reloaded image is not changed by an older response about its category or labels", async () => {
  const editor = new TestEditor();
  const { document, commands, labels } = editor.editor;
  document.expectReplacement();
  commands.changeCategory(1, { color: "#123456" });
  labels.toggle(1);
  editor.respond(editor.recorded[0]!, { status: "applied", revision: 2 });
  editor.respond(editor.recorded[1]!, { status: "applied", revision: 9 });
  await editor.settled();
  const scene = sceneOf();
  scene.categories[0] = { ...scene.categories[0]!, color: "#654321", revision: 3 };
  scene.image = { ...scene.image, labels: [], revision: 10 };
  document.replace(scene);
  expect(document.category(1)?.color).toBe("#654321");
  expect(document.state.image.labels).toEqual([]);
});

test("a reloaded image shows the users that the live connection has reported since", () => {
  const { document } = new TestEditor(sceneOf([])).editor;
  document.showUsers(["tom"]);
  // The scene was read before tom arrived.
  document.replace(sceneOf([]));
  expect(document.state.image.annotating).toEqual(["tom"]);
});

/** An editor with a keypoint on an annotation of "cat"; "dog" has the same label under another id. */
function withKeypoint() {
  const nose = { label: 1, x: 10, y: 10, v: 2 };
  const labels = { keypoint_labels: ["nose"], keypoint_colors: ["#ff0000"], keypoint_label_ids: [1] };
  const scene = sceneOf([annotationOf(1, { keypoints: [nose] })]);
  const [cat, dog] = scene.categories;
  const categories = [
    { ...cat!, ...labels },
    { ...dog!, ...labels, keypoint_label_ids: [7] },
  ];
  return { editor: new TestEditor({ ...scene, categories }), nose };
}

test("keypoints of an annotation that a pending edit moves to another category keep the labels of that category", () => {
  const { editor, nose } = withKeypoint();
  const { document, commands } = editor.editor;
  commands.modify(uuidOf(1), { color: "#123456" }, "Change");
  commands.modify(uuidOf(1), { category_id: 2 }, "Move");
  const moved = [{ ...nose, label: 7 }];
  expect(document.annotation(uuidOf(1))?.keypoints).toEqual(moved);
  const own = { revision: 4, edit: editor.recorded[0]!.uuid };
  expect(document.applyRemote([change({ color: "#123456", category_id: 1, keypoints: [nose] }, own)], 9)).toBe(true);
  expect(document.annotation(uuidOf(1))).toMatchObject({ category_id: 2, keypoints: moved, revision: 4 });
  expect(document.applyRemote([change({ keypoints: [{ ...nose, x: 12 }] }, { revision: 5 })], 10)).toBe(false);
  expect(document.annotation(uuidOf(1))).toMatchObject({ category_id: 2, keypoints: moved, revision: 4 });
});

test("an annotation whose restoration arrives as a change keeps what was changed since, with the labels of its category", () => {
  const { editor, nose } = withKeypoint();
  const { document, commands } = editor.editor;
  commands.delete(uuidOf(1));
  editor.press("control", "z");
  commands.modify(uuidOf(1), { keypoints: [{ ...nose, x: 12 }] }, "Move keypoint");
  commands.modify(uuidOf(1), { category_id: 2 }, "Move");
  const shown = { category_id: 2, keypoints: [{ ...nose, x: 12, label: 7 }] };
  expect(document.annotation(uuidOf(1))).toMatchObject(shown);
  const [deletion, restoration] = editor.recorded;
  const changes = [
    change({}, { action: "delete", revision: 4, edit: deletion!.uuid }),
    change({ ...restoration!.after }, { action: "create", revision: 5, edit: restoration!.uuid }),
  ];
  expect(document.applyRemote(changes, 9)).toBe(true);
  expect(document.annotation(uuidOf(1))).toMatchObject({ ...shown, revision: 5 });
});
