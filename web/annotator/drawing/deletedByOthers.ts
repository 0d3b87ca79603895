import { plural, t } from "@lingui/core/macro";
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
  /** Returns true for annotations whose deletion is notified elsewhere. */
  isReported(uuid: string): boolean;
}

/**
 * Notifies the user when another user, or another page of the same user, deletes annotations that were drawn or changed
 * here, and offers to restore them. Returns a function that stops the notifications.
 */
export function notifyDeletedByOthers({ document, history, notify, isReported }: DeletionParts): () => void {
  const own = new Set<string>();
  let before = document.state.annotations;
  return document.listen(({ origin, edits, annotations, deletedBy }) => {
    for (const edit of edits) if (edit.subject === "annotation") own.add(edit.target);
    const lost = [...annotations].flatMap((target) => {
      const gone = before.get(target);
      const isLost = origin === "remote" && own.has(target) && !document.annotation(target);
      return isLost && gone && !isReported(target) ? [gone] : [];
    });
    before = document.state.annotations;
    if (lost.length === 0) return;
    const users = [...new Set(lost.map((gone) => deletedBy?.get(gone.uuid) || t`Another user`))];
    notify("info", t`Annotation deleted`, messageOf(users, lost), {
      label: t`Restore`,
      endsWithImage: true,
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
  const names = users.join(", ");
  const name = first?.metadata.name;
  if (more.length > 0)
    return plural(more.length + 1, {
      one: `${names} deleted # annotation that you worked on here.`,
      other: `${names} deleted # annotations that you worked on here.`,
    });
  return typeof name === "string" && name !== ""
    ? t`${names} deleted the annotation “${name}” that you worked on here.`
    : t`${names} deleted the annotation that you worked on here.`;
}

/** Restores deleted annotations by uuid, as one undo step. Skips those that exist again. */
export function restoreAnnotations(document: AnnotatorDocument, history: History, uuids: readonly string[]): void {
  const edits = uuids.flatMap((target) => {
    const gone = document.annotation(target) ? null : document.deleted(target);
    if (!gone) return [];
    return [{ ...creation(uuid(), gone.image_id, target, fieldsOfAnnotation(gone)), base: gone.revision }];
  });
  if (edits.length > 0)
    history.gesture({ name: t`Annotation`, action: t`Restore` }, () => document.apply(edits, "local"));
}
