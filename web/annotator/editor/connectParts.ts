import type { Actions } from "../actions/actions";
import type { Toolbox } from "../actions/toolbox";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { notifyDeletedByOthers } from "../drawing/deletedByOthers";
import type { Drawing } from "../drawing/drawing";
import { notifyLostDrawings } from "../drawing/lostDrawings";
import type { Simplifying } from "../drawing/simplifying";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import type { Sessions } from "../sync/sessions";
import { watchWork } from "../sync/watchWork";
import type { Display } from "./display";
import type { EditorParts } from "./editorParts";

interface Connected {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  layers: Layers;
  drawing: Drawing;
  display: Display;
  toolbox: Toolbox;
  actions: Actions;
  sessions: Sessions;
  simplifying: Simplifying;
  ui: Ui;
}

/** Passes changes of the document, the selection and the tool to the parts that follow them. Returns how to stop that. */
export function connectParts({ notify, keyboard }: EditorParts, connected: Connected): (() => void)[] {
  const { document, history, selection, layers, drawing, display } = connected;
  const { toolbox, actions, sessions, simplifying, ui } = connected;
  return [
    notifyLostDrawings({ document, history, selection, drawing, ui, notify }),
    notifyDeletedByOthers({ document, history, notify }),
    document.listen(() => {
      deselectDeleted(document, selection);
      simplifying.refresh();
      toolbox.machine.refresh();
    }),
    history.store.subscribe(() => toolbox.machine.refresh()),
    watchWork(keyboard, sessions),
    toolbox.store.subscribe((now, before) => {
      if (now.tool === before.tool) return;
      sessions.addTool(now.tool.name);
      display.showSelected();
      layers.setPlacing(now.tool.name === "Keypoints");
    }),
    selection.store.subscribe((now, before) => {
      if (now.annotation === before.annotation) return;
      sessions.selectAnnotation(now.annotation);
      actions.selectionChanged();
      simplifying.refresh();
      toolbox.machine.refresh();
    }),
  ];
}

/** Deselects annotations that were deleted, here or by others. */
function deselectDeleted(document: AnnotatorDocument, selection: Selection): void {
  const { annotation, hovered } = selection.state;
  if (annotation !== null && !document.annotation(annotation)) selection.selectAnnotation(null);
  if (hovered !== null && !document.annotation(hovered)) selection.hover(null);
}
