import { beforeEach, describe, expect, test } from "vitest";
import { labelRows } from "../../../../web/annotator/document/labelMode";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

let desk: TestEditor;
const labels = () => desk.editor.document.state.image.labels;

beforeEach(() => {
  desk = new TestEditor(sceneOf([annotationOf(1)]));
  desk.editor.actions.toggleMode();
});

describe("label mode", () => {
  test("ticks and unticks a category, each time as one undo step and one edit of the image", () => {
    desk.editor.labels.toggle(2);
    expect(labels()).toEqual([2]);
    expect(desk.recorded.at(-1)).toMatchObject({
      subject: "image",
      image_id: 7,
      base: 5,
      before: { labels: [] },
      after: { labels: [2] },
    });
    expect(desk.editor.history.store.getState().undo).toEqual({ name: "dog", action: "Tick" });
    desk.editor.labels.toggle(2);
    expect(labels()).toEqual([]);
    desk.press("control", "z");
    expect(labels()).toEqual([2]);
    desk.press("control", "z");
    expect(labels()).toEqual([]);
    desk.press("control", "shift", "z");
    expect(labels()).toEqual([2]);
  });

  test("shows a category with annotations as ticked, and explains why it cannot be unticked", () => {
    const rows = labelRows(desk.editor.document.state, "");
    expect(rows.map(({ category, count, ticked }) => [category.name, count, ticked])).toEqual([
      ["cat", 1, true],
      ["dog", 0, false],
    ]);
    desk.editor.labels.toggle(1);
    expect(labels()).toEqual([]);
    expect(desk.recorded).toEqual([]);
    expect(desk.editor.ui.store.getState().message).toBe("cat cannot be unticked. It has an annotation on this image");
  });

  test("shows the same category numbers as in segment mode, even during a search", () => {
    const scene = sceneOf();
    const [cat] = scene.categories;
    const names = ["cat", "dog", "hen", "owl", "pig", "rat", "yak"];
    const categories = names.map((name, i) => ({
      ...cat!,
      ...{ id: i + 1, name },
      annotations: name === "dog" ? [annotationOf(2, { category_id: 2 })] : [],
    }));
    const many = new TestEditor({
      ...scene,
      categories,
      dataset: { ...scene.dataset, categories: [1, 2, 3, 4, 5, 6, 7] },
    });
    const { document } = many.editor;
    expect(labelRows(document.state, "").map(({ number, category }) => [number, category.name])).toEqual(
      names.map((name, i) => [i + 1, name]),
    );
    expect(labelRows(document.state, "a").map(({ number }) => number)).toEqual([1, 6, 7]);
    many.press("l");
    many.editor.search.find("yak");
    many.press("3");
    expect(document.state.image.labels).toEqual([3]);
  });

  test("keeps a ticked category whose annotations are removed", () => {
    const ticked = new TestEditor(sceneOf([annotationOf(1)], { image: { ...sceneOf().image, labels: [1] } }));
    ticked.editor.commands.delete(ticked.annotations[0]!.uuid);
    expect(labelRows(ticked.editor.document.state, "")[0]).toMatchObject({ count: 0, ticked: true });
  });

  test("does not change ticks of hidden categories", () => {
    const scene = sceneOf([], { image: { ...sceneOf().image, labels: [1, 999] } });
    const other = new TestEditor(scene);
    other.editor.labels.toggle(2);
    expect(other.editor.document.state.image.labels).toEqual([1, 2, 999]);
    other.editor.labels.toggle(1);
    expect(other.editor.document.state.image.labels).toEqual([2, 999]);
  });

  test("is navigated and ticked by keys", () => {
    desk.press("arrowdown").press("arrowdown").press(" ");
    expect(labels()).toEqual([2]);
    desk.press("arrowdown");
    expect(desk.editor.labels.store.getState().current).toBe(1);
    desk.press("arrowup");
    expect(desk.editor.labels.store.getState().current).toBe(2);
    desk.press("2");
    expect(labels()).toEqual([]);
    desk.press("9");
    expect(labels()).toEqual([]);
    expect(desk.editor.ui.store.getState().message).toBe("There is no category 9");
  });

  test("has no tools, creates and deletes no annotations, and leaves the pointer to the view", () => {
    desk.press("r").press("v").press(" ").press("backspace").press("delete");
    expect(desk.editor.toolbox.tool.name).toBe("Select");
    expect(desk.annotations).toHaveLength(1);
    desk.click(150, 150);
    desk.drag([150, 150], [10, 10]);
    expect(desk.selected).toBeNull();
    expect(desk.recorded).toEqual([]);
    desk.press("l").click(150, 150);
    expect(desk.selected?.id).toBe(1);
  });

  test("cancels an unfinished shape and deselects", () => {
    desk.press("l").click(150, 150).choose("Polygon").clicks([10, 10], [50, 10]).press("l");
    expect(desk.toolState).toBe("select.idle");
    expect(desk.selected).toBeNull();
    expect(desk.annotations).toHaveLength(1);
    expect(desk.recorded).toEqual([]);
  });

  test("selects nothing when an annotation is undone", () => {
    desk.press("l");
    desk.editor.commands.modify(desk.annotations[0]!.uuid, { color: "#0000ff" }, "Change");
    desk.press("l").press("control", "z");
    expect(desk.annotations[0]?.color).toBe("#ff0000");
    expect(desk.selected).toBeNull();
  });

  test("applies other users' ticks, except where this user has pending ticks", () => {
    const change = { subject: "image", subject_id: "7", revision: 6, action: "modify", user: "bo" } as const;
    const remote = { ...change, image_revision: 6, fields: { labels: [1] }, edit: null, client: "other" };
    desk.editor.document.applyRemote([remote], 6);
    expect(labels()).toEqual([1]);
    desk.editor.labels.toggle(2);
    desk.editor.document.applyRemote([{ ...remote, fields: { labels: [] } }], 7);
    expect(labels()).toEqual([1, 2]);
  });
});
