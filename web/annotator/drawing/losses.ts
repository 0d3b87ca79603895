import type { AnnotatorDocument } from "../document/document";
import type { Tell } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import type { Drawing } from "./drawing";

export interface LossParts {
  document: AnnotatorDocument;
  selection: Selection;
  drawing: Drawing;
  ui: Ui;
  tell: Tell;
}

/**
 * Notifies the user when another user's deletion of an annotation drops a drawing or computation under way there.
 * To be called before anybody who gives that up. Returns a function that stops it.
 */
export function tellLosses({ document, selection, drawing, ui, tell }: LossParts): () => void {
  let before = document.state.annotations;
  return document.listen(({ origin, annotations }) => {
    const isTaken = (uuid: string) => before.has(uuid) && !document.annotation(uuid);
    const isAwaited = (uuid: string) =>
      drawing.awaits(uuid) || (ui.store.getState().isDrawing && selection.state.annotation === uuid);
    const isLost = origin === "remote" && [...annotations].some((uuid) => isTaken(uuid) && isAwaited(uuid));
    before = document.state.annotations;
    if (isLost)
      tell("info", "Annotation deleted", "Another user deleted the annotation, and with it what you were drawing.");
  });
}
