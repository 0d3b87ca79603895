import { creation, fieldsOfAnnotation } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import { uuid } from "../../io/uuid";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Notify } from "../document/ports";

export interface DeletionParts {
  document: AnnotatorDocument;
  history: History;
  notify: Notify;
}

/**
 * Notifies the user when another user, or another page of the same user, deletes annotations that were drawn or changed
 * here, and offers to restore them. Returns a function that stops the notifications.
 */
export function notifyDeletedByOthers({ document, history, notify }: DeletionParts): () => void {
  const own = new Set<string>();
  let before = document.state.annotations;
  return document.listen(({ origin, edits, annotations, deletedBy }) => {
    for (const edit of edits) if (edit.subject === "annotation") own.add(edit.target);
    const lost = [...annotations].flatMap((target) => {
      const gone = before.get(target);
      return origin === "remote" && gone && own.has(target) && !document.annotation(target) ? [gone] : [];
    });
    before = document.state.annotations;
    if (lost.length === 0) return;
    const users = [...new Set(lost.map((gone) => deletedBy?.get(gone.uuid) || "Another user"))];
    notify("info", "Annotation deleted", messageOf(users, lost), {
      label: "Restore",
      onClick: () =>
        restoreAnnotations(
          document,
          history,
          lost.map(({ uuid: target }) => target),
        ),
    });
  });
}

function messageOf(users: readonly string[], [first, ...more]: readonly Annotation[]): string {
  const name =
    typeof first?.metadata.name === "string" && first.metadata.name !== "" ? ` “${first.metadata.name}”` : "";
  const what =
    more.length > 0 ? `${more.length + 1} annotations that you drew here` : `the annotation${name} that you drew here`;
  return `${users.join(", ")} deleted ${what}.`;
}

/** Restores deleted annotations by uuid, as one undo step. Skips those that exist again. */
export function restoreAnnotations(document: AnnotatorDocument, history: History, uuids: readonly string[]): void {
  const edits = uuids.flatMap((target) => {
    const gone = document.annotation(target) ? null : document.deleted(target);
    if (!gone) return [];
    return [{ ...creation(uuid(), gone.image_id, target, fieldsOfAnnotation(gone)), base: gone.revision }];
  });
  if (edits.length > 0)
    history.gesture({ name: "Annotation", action: "Restore" }, () => document.apply(edits, "local"));
}
