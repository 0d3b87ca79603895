import { expect, test } from "vitest";
import { stubLocalStorage } from "../stubLocalStorage";
import { annotationOf, SQUARE, sceneOf, TestEditor } from "../testEditor";

stubLocalStorage();

const whole = sceneOf([annotationOf(1, { category_id: 1, rings: [[SQUARE]] })]);

/** Returns the scene as it is once a category was deleted. */
const without = (id: number) => ({ ...whole, categories: whole.categories.filter((each) => each.id !== id) });

async function editorIn(category: number): Promise<TestEditor> {
  const tab = new TestEditor(whole);
  tab.editor.selection.selectCategory(category);
  tab.choose("BBox");
  await tab.settled();
  return tab;
}

const removed = (name: string) =>
  `info: The category “${name}” was deleted or removed from the dataset. Choose the category of new annotations.`;

test("after the category in use was deleted, the user is told, and the tool draws nothing in another one", async () => {
  const tab = await editorIn(2);
  const drawn = tab.recorded.length;
  tab.editor.document.replace(without(2));
  await tab.settled();
  expect(tab.messages).toContain(removed("dog"));
  expect(tab.editor.toolbox.tool.name).toBe("Select");
  tab.drag([300, 300], [400, 400]);
  await tab.settled();
  expect(tab.recorded).toHaveLength(drawn);
  expect(tab.editor.commands.categoryForNew()?.id).toBe(1);
});

test("nobody is told of a category that is not in use, or of one that was only changed", async () => {
  const tab = await editorIn(1);
  tab.editor.document.replace(without(2));
  tab.editor.document.replace({ ...whole, categories: whole.categories.map((each) => ({ ...each, name: "x" })) });
  await tab.settled();
  expect(tab.messages).toEqual([]);
  expect(tab.editor.toolbox.tool.name).toBe("BBox");
});

test("a drawn annotation of a deleted category stays selected, and so does an outline that is being drawn", async () => {
  const tab = await editorIn(2);
  tab.drag([300, 300], [400, 400]);
  await tab.settled();
  const { selected } = tab;
  tab.editor.document.replace(without(2));
  await tab.settled();
  expect(tab.messages).toContain(removed("dog"));
  expect(selected?.category_id).toBe(2);
  expect(tab.selected?.uuid).toBe(selected?.uuid);

  const other = await editorIn(2);
  other.choose("Polygon").clicks([300, 300], [400, 300], [400, 400]);
  other.editor.document.replace(without(2));
  await other.settled();
  expect(other.editor.toolbox.tool.name).toBe("Polygon");
  expect(other.toolState).toBe("polygon.drawing");
});
