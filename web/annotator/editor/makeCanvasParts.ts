import { Shapes } from "../canvas/shapes/shapes";
import { View } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import type { Locks } from "../document/locks";
import type { Outlines } from "../document/outlines";
import { Keypoints } from "../keypoints/Keypoints";
import { boxOfRings } from "../keypoints/model/template";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { Display } from "./display";
import type { EditorParts } from "./editorParts";

interface Base {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  locks: Locks;
  commands: Commands;
  outlines: Outlines;
  selection: Selection;
  ui: Ui;
  /** Returns true if the active tool works on vertices. */
  showsVertices: () => boolean;
  /** Called when the last label has been placed. */
  onKeypointsComplete: () => void;
  onNextPoint: (categoryId: number) => void;
}

/** Creates the view of the image, and the parts that keep the canvas up to date with document and selection. */
export function makeCanvasParts({ scene, notify }: EditorParts, base: Base) {
  const { document, history, layers, locks, commands, outlines, selection, ui, showsVertices } = base;
  const view = new View(scene.image);
  const shapes = new Shapes();
  const keypoints = new Keypoints({
    document,
    selection,
    layers,
    commands,
    history,
    ui,
    notify,
    seen: () => view.seen(),
    frameOf: (annotation) => boxOfRings(outlines.of(annotation)),
    onComplete: base.onKeypointsComplete,
    onNext: base.onNextPoint,
  });
  const display = new Display({ document, layers, locks, selection, outlines, keypoints, shapes, showsVertices });
  return { view, shapes, keypoints, display };
}
