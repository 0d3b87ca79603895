import type { AnnotatorScene } from "../../shared/api/annotator";
import { categoryOfInput } from "../../shared/rules/categoryOfInput";
import type { NewCategoryRow } from "./journal/journal";

/** Returns the scene with the categories that the user made in its dataset and the server does not have yet. */
export function withNewCategories(
  scene: AnnotatorScene,
  made: readonly NewCategoryRow[],
  username: string,
): AnnotatorScene {
  const known = new Set(scene.categories.map(({ id }) => id));
  const added = made
    .filter(({ id, dataset_id }) => dataset_id === scene.dataset.id && !known.has(id))
    .map(({ id, input }) => ({ ...categoryOfInput(id, input, username), annotations: [] }));
  if (added.length === 0) return scene;
  const ids = added.map(({ id }) => id);
  return {
    ...scene,
    dataset: { ...scene.dataset, categories: [...scene.dataset.categories, ...ids] },
    categories: [...scene.categories, ...added],
  };
}
