import { t } from "@lingui/core/macro";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { restoreAnnotations } from "./deletedByOthers";
import type { Drawing } from "./drawing";

export interface LossParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  drawing: Drawing;
  ui: Ui;
  notify: Notify;
}

/**
 * Notifies the user when another user deletes an annotation that a drawing or computation was about to change. Must be
 * called before the listeners that discard the unfinished drawing. Returns a function that stops the notifications.
 */
export function notifyLostDrawings({ document, history, selection, drawing, ui, notify }: LossParts): () => void {
  let before = document.state.annotations;
  return document.listen(({ origin, annotations }) => {
    const isDeleted = (uuid: string) => before.has(uuid) && !document.annotation(uuid);
    const hasUnfinished = (uuid: string) =>
      drawing.hasPending(uuid) || (ui.store.getState().isDrawing && selection.state.annotation === uuid);
    const lost = origin === "remote" ? [...annotations].filter((uuid) => isDeleted(uuid) && hasUnfinished(uuid)) : [];
    before = document.state.annotations;
    if (lost.length === 0) return;
    const message = t`Another user deleted the annotation that you were changing, and your unfinished drawing with it.`;
    const restore = () => restoreAnnotations(document, history, lost);
    notify("info", t`Annotation deleted`, message, { label: t`Restore`, onClick: restore });
  });
}
