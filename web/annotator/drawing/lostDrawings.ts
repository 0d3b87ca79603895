import { t } from "@lingui/core/macro";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Notify } from "../document/ports";
import type { Sketch } from "../preferences/sketchStore";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { restoreAnnotations } from "./deletedByOthers";
import type { Drawing } from "./drawing";
import type { KeptSketch } from "./keptSketch";

export interface LossParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  drawing: Drawing;
  sketch: Pick<KeptSketch, "kept">;
  creating: { continueSketch(sketch: Sketch): void };
  ui: Ui;
  notify: Notify;
  /** Returns true for annotations that the server refused, which the user is notified of elsewhere. */
  isRefused(uuid: string): boolean;
}

/** Returns true for annotations with an unfinished drawing or computation. */
export const hasUnfinished =
  ({ drawing, ui, selection }: Pick<LossParts, "drawing" | "ui" | "selection">) =>
  (uuid: string): boolean =>
    drawing.hasPending(uuid) || (ui.store.getState().isDrawing && selection.state.annotation === uuid);

/**
 * Notifies the user when another user deletes an annotation that a drawing or computation was about to change, and
 * offers to restore it together with its unfinished outline. Must be called before the listeners that discard the
 * unfinished drawing. Returns a function that stops the notifications.
 */
export function notifyLostDrawings(parts: LossParts): () => void {
  const { document, history, ui, notify } = parts;
  const isUnfinished = hasUnfinished(parts);
  let before = document.state.annotations;
  return document.listen(({ origin, annotations }) => {
    const isDeleted = (uuid: string) => before.has(uuid) && !document.annotation(uuid);
    const lost = origin === "remote" ? [...annotations].filter((uuid) => isDeleted(uuid) && isUnfinished(uuid)) : [];
    before = document.state.annotations;
    if (lost.length === 0) return;
    const { kept } = parts.sketch;
    const sketch = kept && lost.includes(kept.annotation) ? kept : null;
    const isRefused = lost.every(parts.isRefused);
    if (isRefused && !sketch) return;
    const title = isRefused ? t`Not stored` : t`Annotation deleted`;
    const message = isRefused ? refusedText() : deletedText(sketch !== null);
    const restore = () => {
      restoreAnnotations(document, history, lost);
      if (sketch && !ui.store.getState().isDrawing) parts.creating.continueSketch(sketch);
    };
    notify("info", title, message, { label: t`Restore`, onClick: restore, endsWithImage: true });
  });
}

const refusedText = () => t`The annotation that you were drawing was not stored. Restore it to continue your drawing.`;

const deletedText = (isContinued: boolean) =>
  isContinued
    ? t`Another user deleted the annotation that you were drawing. Restore it to continue your drawing.`
    : t`Another user deleted the annotation that you were changing, and your unfinished drawing with it.`;
