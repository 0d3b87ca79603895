import { t } from "@lingui/core/macro";
import { subjectOf } from "../../../shared/edits/subject";
import type { Annotation } from "../../../shared/entities/annotation";
import { toolOfCategory } from "../../../shared/rules/categoryTool";
import { getReach } from "../../io/http/reachability";
import { serverText } from "../../languages/serverText";
import { type Choice, type Conflict, isOfMissingImage, type SyncState } from "../../sync/journal/syncState";
import type { Shapes } from "../canvas/shapes/shapes";
import type { View } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History, Outcome } from "../document/history";
import type { Layers } from "../document/layers";
import { type Locks, lockedText, readOnlyText } from "../document/locks";
import type { EditSink, Notify } from "../document/ports";
import { nameOfAnnotation } from "../document/stepNames";
import type { Drawing } from "../drawing/drawing";
import type { KeptSketch } from "../drawing/keptSketch";
import type { Simplifying } from "../drawing/simplifying";
import type { Keypoints } from "../keypoints/Keypoints";
import type { Sketch } from "../preferences/sketchStore";
import { noneSelectedText, requireChangeable } from "../selected/changeable";
import type { SelectedCommands } from "../selected/SelectedCommands";
import type { Selecting } from "../selected/Selecting";
import type { ModeSwitch } from "../state/mode";
import { modeText } from "../state/mode";
import { type Search, searchable } from "../state/search";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { toolNamed } from "../tools";
import type { ToolName } from "../tools/common/tool";
import { visibilityOfNew } from "../tools/keypoints/options";
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
  sketch: KeptSketch;
  simplifying: Simplifying;
  keypoints: Keypoints;
  mode: ModeSwitch;
  search: Search;
  shapes: Shapes;
  view: View;
  ui: Ui;
  sink: EditSink;
  notify: Notify;
  goTo: (imageId: number) => void;
  /** Loads the image's data again. */
  reload: () => Promise<void>;
}

/** Messages shown when a save cannot reach the server. */
const notSent = (): Partial<Record<SyncState["status"], string>> => ({
  "saved here": t`Your work is saved in this browser and will be sent as soon as possible.`,
  offline: t`The server cannot be reached. Your work is saved in this browser and will be sent later.`,
  failing: t`The server returns errors. Your work is saved in this browser and will be sent again.`,
  "for review": t`The server's data was restored or replaced. Your work is saved in this browser for review.`,
  "signed out": t`Your work is saved in this browser and will be sent when you log in again.`,
});

const stillMissing = () =>
  t`The image is still in the trash, or you no longer have access to it. Your work is saved in this browser.`;

const continued = () =>
  ({
    Polygon: t`Your unfinished polygon was restored`,
    Scissors: t`Your unfinished outline was restored`,
    Line: t`Your unfinished line was restored`,
    DEXTR: t`Your DEXTR points were restored`,
  }) as const;

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
  /** Uuid of the selected annotation. An annotation that is still empty when it is deselected is removed. */
  private current: string | null = null;
  /** Tool that was left because its work was done. The next new annotation uses it again. */
  private nextTool: ToolName | null = null;

  constructor(private readonly parts: ActionParts) {}

  /** Undoes the last gesture of the shape being drawn, the discarding of an outline, or the last step. */
  undo(): void {
    const { toolbox, history, sketch, drawing, mode } = this.parts;
    if (toolbox.machine.undo?.()) return;
    const discarded = mode.mode === "segment" ? sketch.takeDiscarded() : null;
    if (discarded) this.continueSketch(discarded);
    else drawing.after(() => this.follow(history.undo(), "undone"));
  }

  redo(): void {
    const { toolbox, history } = this.parts;
    if (!toolbox.machine.redo?.()) this.parts.drawing.after(() => this.follow(history.redo(), "redone"));
  }

  /** Chooses a tool. Creates an annotation if the tool needs one and none is selected. */
  chooseTool(name: ToolName): void {
    const { toolbox, selection } = this.parts;
    const isReady = !toolNamed(name).needsAnnotation || selection.state.annotation !== null;
    if (!isReady && !this.createAnnotation(undefined, () => this.chooseTool(name))) return;
    this.nextTool = null;
    toolbox.choose(name);
  }

  /**
   * Chooses the drawing tool that was active on the previous image. The annotation that it needs is created with the first
   * press, so that an image is not changed by being opened.
   */
  continueTool(name: ToolName | null): void {
    const { toolbox, commands, mode } = this.parts;
    const tool = name && toolNamed(name);
    if (tool?.needsAnnotation && !tool.removes && mode.mode === "segment" && commands.categoryForNew())
      toolbox.choose(tool.name);
  }

  /**
   * Creates an annotation if the active tool needs one and none is selected. Returns false if that is impossible, after
   * telling the user why.
   */
  provideAnnotation(): boolean {
    const { toolbox, selection } = this.parts;
    return !toolbox.tool.needsAnnotation || selection.state.annotation !== null || this.createAnnotation();
  }

  /**
   * Must be called when the selection has changed. Leaves tools that need an annotation if none is selected, and
   * removes the previously selected annotation if it is empty.
   */
  selectionChanged(): void {
    const { selection, toolbox, history } = this.parts;
    const { annotation } = selection.state;
    if (annotation === null && toolbox.tool.needsAnnotation) toolbox.choose("Select");
    const left = this.current;
    this.current = annotation;
    if (left === null || left === annotation || this.parts.document.isReadOnly) return;
    this.parts.drawing.after(() => {
      const now = this.parts.document.annotation(left);
      if (now && this.parts.drawing.isEmpty(now)) history.removeUnused(left);
    });
  }

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

  /**
   * Creates an empty annotation. Chooses the category's tool. If the category has none, keeps the Keypoints or DEXTR
   * tool, or chooses the remembered tool.
   */
  newAnnotation(categoryId?: number): void {
    const { toolbox, document, selection } = this.parts;
    const { name } = toolbox.tool;
    const kept = name === "Keypoints" || name === "DEXTR" ? name : this.nextTool;
    if (!this.createAnnotation(categoryId)) return;
    const created = document.annotation(selection.state.annotation);
    const next = toolOfCategory(document.category(created?.category_id ?? null) ?? {}) ?? kept;
    if (next) toolbox.choose(next);
    else toolbox.chooseRemembered();
  }

  /**
   * Chooses the Select tool after all keypoints are placed, so that they can be moved. The next new annotation chooses
   * the Keypoints tool again.
   */
  endKeypoints(): void {
    this.chooseTool("Select");
    this.nextTool = "Keypoints";
  }

  /** Creates an annotation in the last used category, with that category's tool. */
  repeat(): void {
    this.newAnnotation(this.parts.commands.lastCategory()?.id);
  }

  /**
   * Creates an empty annotation and shows a message. If there is no category for it, returns false and asks the user
   * for one; `onCategory` is called afterwards. Returns false if the user may not change the image.
   */
  createAnnotation(categoryId?: number, onCategory?: () => void): boolean {
    const { commands, layers, document, ui } = this.parts;
    if (document.isReadOnly) {
      ui.showMessage(readOnlyText());
      return false;
    }
    const created = document.annotation(commands.create(categoryId));
    if (!created) {
      ui.askForCategory(onCategory);
      return false;
    }
    layers.expand(created.category_id, true);
    ui.showMessage(t`New annotation of ${{ name: document.category(created.category_id)?.name ?? "" }}`);
    return true;
  }

  /**
   * Continues an unfinished outline: by default the one that was kept when the image was left or the page reloaded, if
   * there is one.
   */
  continueSketch(kept: Sketch | null = this.parts.sketch.kept): void {
    const { document, selection, toolbox, mode, ui } = this.parts;
    if (!kept || mode.mode === "label" || document.isReadOnly) return;
    const annotation = document.annotation(kept.annotation);
    if (annotation) selection.selectAnnotation(annotation);
    else if (!document.category(kept.category) || !this.createAnnotation(kept.category)) return;
    toolbox.choose(kept.tool);
    toolbox.machine.continueWith?.(kept);
    ui.showMessage(continued()[kept.tool]);
  }

  /** Selects a keypoint of the selected annotation, so that it can be moved or deleted. */
  selectKeypoint(label: number): void {
    this.chooseTool("Select");
    this.parts.selection.selectKeypoint(label);
  }

  /** Makes the next click place this label. */
  placeKeypoint(label: number): void {
    const { keypoints, selection } = this.parts;
    this.chooseTool("Keypoints");
    selection.selectKeypoint(null);
    keypoints.startAt(label);
  }

  /** Places all remaining keypoints, for the user to move into place; in a new annotation if none is selected. */
  placeAllKeypoints(): void {
    const { toolbox, keypoints } = this.parts;
    this.chooseTool("Keypoints");
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
    const { drawing, commands, document, history, locks, ui } = this.parts;
    drawing.after(() => {
      const annotation = document.annotation(uuid);
      if (!annotation) return;
      if (locks.isLocked(uuid)) {
        ui.showMessage(lockedText());
        return;
      }
      const name = nameOfAnnotation(annotation);
      history.gesture({ name, action: t`Delete` }, () => this.keepTool(annotation, () => commands.delete(uuid)));
    });
  }

  /**
   * Deletes an annotation. If that leaves the active tool, because nothing is selected any more, creates a new
   * annotation and chooses the tool again, unless the deleted annotation was empty.
   */
  private keepTool(annotation: Annotation, deleteIt: () => void): void {
    const { drawing, selection, toolbox } = this.parts;
    const { tool } = toolbox;
    const isDrawn = !drawing.isEmpty(annotation) || !!annotation.keypoints?.length;
    deleteIt();
    if (!isDrawn || toolbox.tool === tool || selection.state.annotation !== null) return;
    if (this.createAnnotation(annotation.category_id)) toolbox.choose(tool.name);
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

  async save(): Promise<void> {
    const { sink, notify, drawing } = this.parts;
    await drawing.settled();
    await sink.flush();
    const { status } = sink.state.getState();
    const why = notSent()[status];
    if (why) notify("info", t`Saved here`, why);
    if (status === "not kept")
      notify("error", t`Not saved`, t`This browser cannot save your work. Keep this tab open until the server has it.`);
  }

  /** Resolves conflicts, then reloads the image. Notifies the user if the server refuses the same changes again. */
  async resolve(conflicts: readonly Conflict[], choice: Choice): Promise<void> {
    const { sink, reload, notify } = this.parts;
    await sink.resolve(conflicts, choice);
    await sink.flush();
    const subjects = new Set(conflicts.map(({ edit }) => subjectOf(edit)));
    const again = sink.state.getState().conflicts.find(({ edit }) => subjects.has(subjectOf(edit)));
    if (again) notify("info", t`Not stored`, isOfMissingImage([again]) ? stillMissing() : serverText(again.reason));
    await reload();
  }

  /** Opens the previous or next image of the list context, or shows a message at the end of the list. */
  go(to: "previous" | "next" | "next_not_annotated"): void {
    const { document, goTo, ui } = this.parts;
    const id = document.state.image[to];
    if (id === null) ui.showMessage((getReach() === "away" ? knownListEnds() : listEnds())[to]);
    else goTo(id);
  }

  private follow(outcome: Outcome, done: "undone" | "redone"): void {
    const { mode, notify, ui } = this.parts;
    if (outcome.kind === "refused") {
      const title = done === "undone" ? t`Cannot be undone` : t`Cannot be redone`;
      notify("info", title, t`Another user has made a newer change.`);
    }
    if (outcome.kind !== "done") return;
    const touched = new Set(outcome.touched.flatMap((edit) => (edit.subject === "annotation" ? [edit.target] : [])));
    // Before the message, which the number of selected annotations would replace.
    if (mode.mode !== "label") this.selectTouched(touched);
    // The change may be invisible, such as labels in segment mode or a setting, or too large to be seen at once.
    const { name, action } = outcome.step;
    const message = done === "undone" ? t`${name}: ${action} undone` : t`${name}: ${action} redone`;
    // The message about the step itself, such as "The annotation is now in cat", must not stay.
    if (touched.size === 1) ui.announce(message);
    else ui.showMessage(message);
  }

  /** Selects and shows the annotations that undo or redo has changed. */
  private selectTouched(touched: ReadonlySet<string>): void {
    const { document, selection, selecting, layers } = this.parts;
    if (touched.size > 1) {
      const there = [...touched].flatMap((uuid) => document.annotation(uuid) ?? []);
      layers.showAnnotations(there);
      if (there.length > 0) selecting.select(there.map(({ uuid }) => uuid));
      return;
    }
    const [only] = touched;
    const annotation = document.annotation(only ?? null);
    if (!annotation) return;
    selection.selectAnnotation(annotation);
    layers.reveal(annotation);
  }
}
