import { applyEdit } from "../../../shared/edits/apply";
import type { Edit } from "../../../shared/edits/edit";
import { measureEdited } from "../../../shared/edits/measureEdited";
import { withWantedStage } from "../../../shared/rules/stages";
import type { LocalScene } from "./shown";

/** Returns a scene after pending edits, with areas and boxes as the server will compute them. */
export function editedScene<S extends LocalScene>(scene: S, edits: readonly Edit[]): S {
  if (edits.length === 0) return scene;
  const after = new Map(scene.annotations.map((annotation) => [annotation.uuid, annotation]));
  let image: S["image"] = { ...scene.image };
  for (const edit of edits) {
    if (edit.subject === "image") {
      const { done, stage, ...fields } = edit.after;
      image = withWantedStage({ ...image, ...fields }, { done, stage });
    }
    if (edit.subject !== "annotation") continue;
    const before = after.get(edit.target);
    const changed = applyEdit(before, edit);
    if (changed) after.set(edit.target, measureEdited(before, changed, scene.image));
    else after.delete(edit.target);
  }
  return { ...scene, image, annotations: [...after.values()] };
}
