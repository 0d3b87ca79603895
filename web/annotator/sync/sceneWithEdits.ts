import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Edit } from "../../../shared/edits/edit";
import { AnnotatorDocument } from "../document/document";

/** Returns a scene with the user's pending edits applied. `username`: null if login is disabled. */
export function sceneWithEdits(scene: AnnotatorScene, edits: readonly Edit[], username: string | null): AnnotatorScene {
  if (edits.length === 0) return scene;
  const document = new AnnotatorDocument(scene, username);
  document.addPendingEdits(edits);
  const { image, categories } = document.state;
  return {
    ...scene,
    image,
    categories: categories.map((category) => ({ ...category, annotations: document.ofCategory(category.id) })),
  };
}
