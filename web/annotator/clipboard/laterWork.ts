import type { History } from "../document/history";
import type { Drawing } from "../drawing/drawing";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";

interface Parts {
  drawing: Drawing;
  history: History;
  selection: Selection;
  ui: Ui;
}

/**
 * Must be called when the user gives a command that may have to wait. Returns a function that returns true if its result
 * would disturb the user: another selection, a drawing made since or in progress, or an open dialog.
 */
export function watchLaterWork({ drawing, history, selection, ui }: Parts): () => boolean {
  const { all } = selection.state;
  let { newest } = history;
  // Gestures that are pending already are earlier work.
  drawing.after(() => {
    newest = history.newest;
  });
  return () => {
    const { dialog, picker, isDrawing } = ui.store.getState();
    const isElsewhere = selection.state.all !== all || isDrawing || dialog !== null || picker !== null;
    return isElsewhere || drawing.isBusy || history.newest !== newest;
  };
}
