import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import { toolOfCategory } from "../../../shared/rules/categoryTool";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { readOnlyText } from "../document/locks";
import type { Drawing } from "../drawing/drawing";
import type { KeptSketch } from "../drawing/keptSketch";
import type { Sketch } from "../preferences/sketchStore";
import type { ModeSwitch } from "../state/mode";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { toolNamed } from "../tools";
import type { ToolName } from "../tools/common/tool";
import type { Toolbox } from "./toolbox";

export interface CreatingParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  selection: Selection;
  toolbox: Toolbox;
  commands: Commands;
  drawing: Drawing;
  sketch: KeptSketch;
  mode: ModeSwitch;
  ui: Ui;
}

const continued = () =>
  ({
    Polygon: t`Your unfinished polygon was restored`,
    Scissors: t`Your unfinished outline was restored`,
    Line: t`Your unfinished line was restored`,
    DEXTR: t`Your DEXTR points were restored`,
  }) as const;

/** Creates annotations with the tools that draw them, and tools with the annotations that they need. */
export class Creating {
  /** Uuid of the selected annotation. An annotation that is still empty when it is deselected is removed. */
  private current: string | null = null;
  /** For each deselected annotation, the check that will remove it if it is empty once the pending gestures are done. */
  private readonly checks = new Map<string, object>();
  /** Tool that was left because its work was done. The next new annotation uses it again. */
  private nextTool: ToolName | null = null;

  constructor(private readonly parts: CreatingParts) {}

  /** Chooses a tool. Creates an annotation if the tool needs one and none is selected. */
  chooseTool(name: ToolName): void {
    const { toolbox, selection } = this.parts;
    const isReady = !toolNamed(name).needsAnnotation || selection.state.annotation !== null;
    if (!isReady && !this.createAnnotation(undefined, () => this.chooseTool(name))) return;
    this.nextTool = null;
    toolbox.choose(name);
  }

  /**
   * Chooses the drawing tool that was active on the previous image. The annotation that it needs is created with the
   * first press, so that an image is not changed by being opened.
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
    // Selected again, it may get a shape behind the pending gestures.
    if (annotation !== null) this.checks.delete(annotation);
    if (left === null || left === annotation || this.parts.document.isReadOnly) return;
    const check = {};
    this.checks.set(left, check);
    this.parts.drawing.after(() => {
      if (this.checks.get(left) !== check) return;
      this.checks.delete(left);
      const now = this.parts.document.annotation(left);
      if (now && this.parts.drawing.isEmpty(now)) history.removeUnused(left);
    });
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
   * Chooses the Select tool after all keypoints are placed, so that they can be moved. The next new annotation chooses
   * the Keypoints tool again.
   */
  endKeypoints(): void {
    this.chooseTool("Select");
    this.nextTool = "Keypoints";
  }

  /**
   * Deletes an annotation. If that leaves the active tool, because nothing is selected any more, creates a new
   * annotation and chooses the tool again, unless the deleted annotation was empty.
   */
  keepTool(annotation: Annotation, deleteIt: () => void): void {
    const { drawing, selection, toolbox } = this.parts;
    const { tool } = toolbox;
    const isDrawn = !drawing.isEmpty(annotation) || !!annotation.keypoints?.length;
    deleteIt();
    if (!isDrawn || toolbox.tool === tool || selection.state.annotation !== null) return;
    if (this.createAnnotation(annotation.category_id)) toolbox.choose(tool.name);
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
}
