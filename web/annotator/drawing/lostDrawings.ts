import type { AnnotatorDocument } from "../document/document";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import type { Drawing } from "./drawing";

export interface LossParts {
  document: AnnotatorDocument;
  selection: Selection;
  drawing: Drawing;
  ui: Ui;
  notify: Notify;
}

/**
 * Notifies the user when another user deletes an annotation that a drawing or computation was about to change. Must be
 * called before the listeners that discard the unfinished drawing. Returns a function that stops it.
 */
export function notifyLostDrawings({ document, selection, drawing, ui, notify }: LossParts): () => void {
  let before = document.state.annotations;
  return document.listen(({ origin, annotations }) => {
    const isDeleted = (uuid: string) => before.has(uuid) && !document.annotation(uuid);
    const hasUnfinished = (uuid: string) =>
      drawing.hasPending(uuid) || (ui.store.getState().isDrawing && selection.state.annotation === uuid);
    const isLost = origin === "remote" && [...annotations].some((uuid) => isDeleted(uuid) && hasUnfinished(uuid));
    before = document.state.annotations;
    if (isLost)
      notify("info", "Annotation deleted", "Another user deleted the annotation, and with it what you were drawing.");
  });
}
