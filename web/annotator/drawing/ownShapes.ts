import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import type { AnnotatorDocument } from "../document/document";
import { sourceOf } from "../document/outlines";

/** Message to a user whose drag or move has ended because their own edit has changed the annotation. */
export const changedMeanwhileText = () => t`The annotation was changed during the drag. Drag again`;

/**
 * The shapes and keypoints that the user's own edits have stored while the image was open. A gesture must not overwrite
 * them: the server takes all edits of one user, so there would be no conflict in which the user could choose.
 */
export class OwnShapes {
  private readonly stored = new WeakSet<object>();

  constructor(private readonly document: AnnotatorDocument) {
    document.listen(({ origin, annotations }) => {
      if (origin === "remote") return;
      for (const uuid of annotations) {
        const annotation = document.annotation(uuid);
        if (!annotation) continue;
        this.stored.add(sourceOf(annotation));
        if (annotation.keypoints) this.stored.add(annotation.keypoints);
      }
    });
  }

  /** Returns true if an own edit has replaced the shape or the keypoints since the annotation was `seen`. */
  hasReplaced(seen: Annotation): boolean {
    const now = this.document.annotation(seen.uuid);
    if (!now) return false;
    const source = sourceOf(now);
    const { keypoints } = now;
    const hasShape = source !== sourceOf(seen) && this.stored.has(source);
    return hasShape || (keypoints !== null && keypoints !== seen.keypoints && this.stored.has(keypoints));
  }
}
