import type { Creating } from "../actions/creating";
import type { Toolbox } from "../actions/toolbox";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { selectedText } from "../document/stepNames";
import { notifyDeletedByOthers } from "../drawing/deletedByOthers";
import type { Drawing } from "../drawing/drawing";
import type { KeptSketch } from "../drawing/keptSketch";
import { hasUnfinished, notifyLostDrawings } from "../drawing/lostDrawings";
import type { Simplifying } from "../drawing/simplifying";
import type { Selecting } from "../selected/Selecting";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { RefusedEdits } from "../sync/refusedEdits";
import type { Sessions } from "../sync/sessions";
import { watchCategories } from "../sync/watchCategories";
import { watchRights } from "../sync/watchRights";
import { watchWork } from "../sync/watchWork";
import type { Display } from "./display";
import type { EditorParts } from "./editorParts";

interface Connected {
  document: AnnotatorDocument;
  commands: Commands;
  history: History;
  layers: Layers;
  selecting: Selecting;
  selection: Selection;
  drawing: Drawing;
  sketch: KeptSketch;
  display: Display;
  toolbox: Toolbox;
  creating: Creating;
  sessions: Sessions;
  simplifying: Simplifying;
  ui: Ui;
}

/**
 * Passes changes of the document, the selection and the tool to the parts that depend on them. Returns functions that
 * stop this.
 */
export function connectParts({ notify, keyboard, scene, sink }: EditorParts, connected: Connected): (() => void)[] {
  const { document, commands, history, selection, selecting, layers, drawing, sketch, display } = connected;
  const { toolbox, creating, sessions, simplifying, ui } = connected;
  const refused = new RefusedEdits(scene.image.id, sink, notify);
  const isUnfinished = hasUnfinished({ drawing, ui, selection });
  const isUnused = (uuid: string) => {
    const annotation = document.annotation(uuid);
    return annotation !== null && drawing.isEmpty(annotation) && !isUnfinished(uuid);
  };
  const isReported = (uuid: string) => refused.has(uuid) || isUnfinished(uuid);
  return [
    refused.stop,
    notifyLostDrawings({ document, history, selection, drawing, sketch, creating, ui, notify, isRefused: refused.has }),
    notifyDeletedByOthers({ document, history, notify, isReported }),
    document.listen(() => {
      selecting.prune();
      simplifying.refresh();
      toolbox.machine.refresh();
    }),
    layers.store.subscribe(() => selecting.prune()),
    history.store.subscribe(() => toolbox.machine.refresh()),
    watchWork(keyboard, sessions),
    watchCategories({ document, commands, selection, isUnused, toolbox, notify }),
    watchRights({ document, sketch, toolbox, simplifying, creating, notify }),
    toolbox.store.subscribe((now, before) => {
      if (now.tool === before.tool) return;
      sessions.addTool(now.tool.name);
      display.showSelected();
      layers.setPlacing(now.tool.name === "Keypoints");
    }),
    selection.store.subscribe((now, before) => {
      if (now.all !== before.all && now.all.size > 1) ui.announce(selectedText(now.all.size));
      if (now.annotation === before.annotation) return;
      sessions.selectAnnotation(now.annotation);
      creating.selectionChanged();
      simplifying.refresh();
      toolbox.machine.refresh();
    }),
  ];
}
