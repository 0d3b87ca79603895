import { type AnnotatorScene, getAnnotatorData } from "../../../shared/api/annotator";
import type { User } from "../../../shared/entities/accounts/user";
import { request } from "../../io/http/request";
import { withNewCategories } from "../../sync/newCategories";
import type { Sync } from "../../sync/push/sync";
import { sceneWithEdits } from "./sceneWithEdits";
import { editCountFor } from "./serverUpdates";

/**
 * Loads the scene of an image that is not open, with the user's pending edits and new categories. Pushes first what can
 * be pushed. Rejects if the scene cannot be loaded.
 */
export async function loadOtherScene(
  imageId: number,
  { sink, user }: { sink: Sync; user: User },
  signal?: AbortSignal,
): Promise<AnnotatorScene> {
  await sink.flush();
  const pending = await sink.pendingOf(imageId);
  const made = await sink.newCategories();
  const query = { shape: "rings" as const, edits: editCountFor(pending.length) };
  // With `shape: "rings"` the response is a scene, without paper JSON.
  const scene = await request(getAnnotatorData, { params: { id: imageId }, query }, { ...(signal && { signal }) });
  const username = user.anonymous ? null : user.username;
  return sceneWithEdits(withNewCategories(scene as AnnotatorScene, made, user.username), pending, username);
}
