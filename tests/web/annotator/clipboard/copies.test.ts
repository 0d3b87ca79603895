import { describe, expect, test } from "vitest";
import { copiesOf } from "../../../../web/annotator/clipboard/copies";
import { addAnnotations } from "../../../../web/annotator/document/addAnnotations";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

const MASK = { size: [480, 640] as [number, number], counts: [0, 960, 480 * 640 - 960] };
const size = { width: 640, height: 480 };

function source() {
  const scene = sceneOf([
    annotationOf(1, { color: "#123456", metadata: { name: "Tom" } }),
    annotationOf(2, { rings: null, rle: MASK, iscrowd: true }),
    annotationOf(3, { rings: [], keypoints: [{ label: 1, x: 20, y: 30, v: 1 }] }),
    annotationOf(4, { rings: [] }),
    annotationOf(5, { rings: null, rle: { size: [480, 640], counts: "?" } }),
  ]);
  const [cat, dog] = scene.categories;
  const bird = { ...dog!, id: 3, name: "bird", annotations: [annotationOf(6, { category_id: 3, isbbox: true })] };
  return { ...scene, image: { ...scene.image, id: 70 }, categories: [cat!, dog!, bird] };
}

const trace = async (rle: object) => {
  if ("counts" in rle && rle.counts === "?") throw new Error("malformed");
  return [[[0, 0, 2, 0, 2, 480, 0, 480]]];
};
const copies = (without: number[] = [], to = size) => copiesOf(source(), to, { without: new Set(without), trace });

describe("copies of another image's annotations", () => {
  test("copies have all fields that an edit can have; masks become outlines, and empty annotations are skipped", async () => {
    const { annotations, categories, crowds, malformed } = await copies();
    expect(annotations).toEqual([
      expect.objectContaining({ category_id: 1, color: "#123456", metadata: { name: "Tom" }, isbbox: false }),
      expect.objectContaining({ rings: [[[0, 0, 2, 0, 2, 480, 0, 480]]] }),
      expect.objectContaining({ rings: [], keypoints: [{ label: 1, x: 20, y: 30, v: 1 }] }),
      expect.objectContaining({ category_id: 3, isbbox: true }),
    ]);
    expect(categories.map(({ name }) => name)).toEqual(["cat", "bird"]);
    expect([crowds, malformed]).toEqual([1, 1]);
  });

  test("copies exclude the categories that were not chosen", async () => {
    const { annotations, categories } = await copies([1]);
    expect(annotations.map(({ category_id }) => category_id)).toEqual([3]);
    expect(categories.map(({ id }) => id)).toEqual([3]);
  });

  test("copies are scaled to an image of a different size", async () => {
    const { annotations } = await copies([3], { width: 320, height: 960 });
    expect(annotations[0]?.rings).toEqual([[[50, 200, 100, 200, 100, 400, 50, 400]]]);
    expect(annotations[2]?.keypoints).toEqual([{ label: 1, x: 10, y: 60, v: 1 }]);
  });

  test("adding copies, even five thousand, makes one undo step and keeps the selection", async () => {
    const desk = new TestEditor(sceneOf([annotationOf(50)]));
    const [own] = desk.annotations;
    desk.editor.selection.selectAnnotation(own!);
    const { annotations, categories } = await copies();
    const many = Array.from({ length: 1250 }, () => annotations).flat();
    addAnnotations(desk.editor, { action: "Copy", annotations: many, categories });
    expect(desk.annotations).toHaveLength(5001);
    expect(new Set(desk.annotations.map(({ uuid }) => uuid)).size).toBe(5001);
    expect(desk.selected?.uuid).toBe(own?.uuid);
    expect(desk.editor.document.category(3)?.name).toBe("bird");
    expect(desk.editor.layers.state.shown.has(3)).toBe(true);
    expect(desk.editor.history.store.getState().undo).toEqual({ name: "5000 annotations", action: "Copy" });
    expect(desk.recorded).toHaveLength(5000);
    desk.press("control", "z");
    expect(desk.annotations).toEqual([own]);
    desk.press("control", "shift", "z");
    expect(desk.annotations).toHaveLength(5001);
  });

  test("copying nothing makes no undo step", () => {
    const desk = new TestEditor();
    addAnnotations(desk.editor, { action: "Copy", annotations: [] });
    expect(desk.editor.history.store.getState().undo).toBeNull();
  });
});
