import { expect, test } from "vitest";
import { creation, deletion, modification } from "../../../../shared/edits/make";
import { sceneWithEdits } from "../../../../web/annotator/sync/sceneWithEdits";
import { annotationOf, sceneOf, uuidOf } from "../testEditor";

test("the scene of another image includes the user's pending edits, and keeps the revisions that later edits are based on", () => {
  const [kept, changed, removed] = [annotationOf(1), annotationOf(2), annotationOf(3)];
  const edits = [
    modification(uuidOf(20), changed, { category_id: 2 })!,
    deletion(uuidOf(21), removed),
    creation(uuidOf(22), 7, uuidOf(9), { category_id: 2, rings: [[[0, 0, 9, 0, 9, 9]]] }),
  ];
  const scene = sceneOf([kept, changed, removed]);
  const after = sceneWithEdits(scene, edits, "ada");
  expect(after.categories.map(({ name, annotations }) => [name, annotations.map(({ uuid }) => uuid)])).toEqual([
    ["cat", [uuidOf(1)]],
    ["dog", [uuidOf(2), uuidOf(9)]],
  ]);
  const made = after.categories[1]?.annotations[1];
  expect(made).toMatchObject({ creator: "ada", revision: 0, rings: [[[0, 0, 9, 0, 9, 9]]] });
  expect(after.categories[1]?.annotations[0]?.revision).toBe(changed.revision);
  expect(sceneWithEdits(scene, [], "ada")).toBe(scene);
});
