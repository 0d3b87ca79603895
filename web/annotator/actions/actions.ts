import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import { getReach } from "../../io/http/reachability";
import type { Shapes } from "../canvas/shapes/shapes";
import type { View } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { type Locks, lockedText } from "../document/locks";
import { nameOfAnnotation } from "../document/stepNames";
import type { Drawing } from "../drawing/drawing";
import type { Simplifying } from "../drawing/simplifying";
import type { Keypoints } from "../keypoints/Keypoints";
import { noneSelectedText, requireChangeable } from "../selected/changeable";
import type { SelectedCommands } from "../selected/SelectedCommands";
import type { Selecting } from "../selected/Selecting";
import type { ModeSwitch } from "../state/mode";
import { modeText } from "../state/mode";
import { type Search, searchable } from "../state/search";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { visibilityOfNew } from "../tools/keypoints/options";
import type { Creating } from "./creating";
import type { Toolbox } from "./toolbox";

export interface ActionParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  locks: Locks;
  selection: Selection;
  selecting: Selecting;
  selected: SelectedCommands;
  toolbox: Toolbox;
  commands: Commands;
  drawing: Drawing;
  creating: Creating;
  simplifying: Simplifying;
  keypoints: Keypoints;
  mode: ModeSwitch;
  search: Search;
  shapes: Shapes;
  view: View;
  ui: Ui;
  goTo: (imageId: number) => void;
}

const listEnds = () => ({
  previous: t`This is the first image of the list`,
  next: t`This is the last image of the list`,
  next_not_annotated: t`All later images in the list are annotated`,
});

/** Without the server, the list has only the images in this browser. */
const knownListEnds = () => ({
  previous: t`This is the first image of the list in this browser`,
  next: t`This is the last image of the list in this browser`,
  next_not_annotated: t`All later images in this browser are annotated`,
});

/** Actions of buttons and keys that involve several parts. */
export class Actions {
  constructor(private readonly parts: ActionParts) {}

  /**
   * Switches between segment and label mode. Deselects everything, because label mode has no tools and no selection.
   */
  toggleMode(): void {
    const { mode, toolbox, selection, ui } = this.parts;
    toolbox.conclude();
    toolbox.choose("Select");
    selection.selectAnnotation(null);
    selection.hover(null);
    mode.toggle();
    ui.showMessage(modeText(mode.mode));
  }

  /** Focuses the search field, if there is one. */
  startSearch(): void {
    const { document, search, mode } = this.parts;
    if (searchable(document.state, mode.mode)) search.requestFocus(true);
  }

  /** Selects an annotation from a list, and moves it into the view if it is outside or tiny there. */
  selectListed(annotation: Annotation): void {
    const { selection, layers } = this.parts;
    selection.selectAnnotation(annotation);
    layers.expand(annotation.category_id, true);
    this.showSelected();
  }

  /** Moves the selected annotation into the view, if it is outside or tiny there. */
  showSelected(): void {
    const { selection, shapes, view } = this.parts;
    const shape = shapes.get(selection.state.annotation ?? "");
    if (shape) view.bringIntoView(shape);
  }

  /** Opens the settings of the selected annotation, or of all selected ones. */
  openAnnotationSettings(): void {
    const { document, selection, ui } = this.parts;
    const { annotation } = selection.state;
    if (annotation === null) ui.showMessage(noneSelectedText());
    else if (!selection.isMany || document.isReadOnly) ui.open({ kind: "annotation", uuid: annotation });
    else if (requireChangeable(this.parts).length > 0) ui.open({ kind: "annotations" });
  }

  /** Selects a keypoint of the selected annotation, so that it can be moved or deleted. */
  selectKeypoint(label: number): void {
    this.parts.creating.chooseTool("Select");
    this.parts.selection.selectKeypoint(label);
  }

  /** Makes the next click place this label. */
  placeKeypoint(label: number): void {
    const { keypoints, selection } = this.parts;
    this.parts.creating.chooseTool("Keypoints");
    selection.selectKeypoint(null);
    keypoints.startAt(label);
  }

  /** Places all remaining keypoints, for the user to move into place; in a new annotation if none is selected. */
  placeAllKeypoints(): void {
    const { toolbox, keypoints } = this.parts;
    this.parts.creating.chooseTool("Keypoints");
    if (toolbox.tool.name === "Keypoints") keypoints.placeAll(visibilityOfNew(toolbox.optionsOf(toolbox.tool)));
  }

  /**
   * Deletes the last point of the shape being drawn, otherwise the selected keypoint, otherwise the selected
   * annotations.
   */
  deleteSelected(): void {
    const { toolbox, selection, selected, keypoints, ui } = this.parts;
    if (toolbox.machine.removeLastPoint?.() || keypoints.deleteSelected()) return;
    if (selection.isMany) selected.delete();
    else if (selection.state.annotation !== null) this.delete(selection.state.annotation);
    else ui.showMessage(noneSelectedText());
  }

  /** Deletes an annotation after pending drawings, so that the drawings are deleted with it. */
  delete(uuid: string): void {
    const { drawing, commands, document, history, creating, locks, ui } = this.parts;
    drawing.after(() => {
      const annotation = document.annotation(uuid);
      if (!annotation) return;
      if (locks.isLocked(uuid)) {
        ui.showMessage(lockedText());
        return;
      }
      const name = nameOfAnnotation(annotation);
      history.gesture({ name, action: t`Delete` }, () => creating.keepTool(annotation, () => commands.delete(uuid)));
    });
  }

  cancel(): void {
    const { simplifying, toolbox, selection } = this.parts;
    if (simplifying.cancel() || toolbox.machine.cancel()) return;
    if (toolbox.tool.needsAnnotation && selection.state.annotation === null) toolbox.choose("Select");
    else selection.stepOut();
  }

  /** Applies the simplification that is being chosen, otherwise finishes the shape being drawn. */
  complete(): void {
    const { simplifying, toolbox } = this.parts;
    if (simplifying.choice) void simplifying.apply();
    else toolbox.machine.complete?.();
  }

  /** Opens the previous or next image of the list context, or shows a message at the end of the list. */
  go(to: "previous" | "next" | "next_not_annotated"): void {
    const { document, goTo, ui } = this.parts;
    const id = document.state.image[to];
    if (id === null) ui.showMessage((getReach() === "away" ? knownListEnds() : listEnds())[to]);
    else goTo(id);
  }
}
