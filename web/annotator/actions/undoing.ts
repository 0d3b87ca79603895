import { t } from "@lingui/core/macro";
import type { AnnotatorDocument } from "../document/document";
import type { History, Outcome } from "../document/history";
import type { Layers } from "../document/layers";
import type { Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import type { KeptSketch } from "../drawing/keptSketch";
import type { Selecting } from "../selected/Selecting";
import type { ModeSwitch } from "../state/mode";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import type { Creating } from "./creating";
import type { Toolbox } from "./toolbox";

export interface UndoingParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  selection: Selection;
  selecting: Selecting;
  toolbox: Toolbox;
  drawing: Drawing;
  sketch: KeptSketch;
  creating: Creating;
  mode: ModeSwitch;
  ui: Ui;
  notify: Notify;
}

/** Undo and redo, which show and select what they have changed. */
export class Undoing {
  /** Numbers of undos and redos that wait for pending gestures. */
  private readonly waiting = { undo: 0, redo: 0 };

  constructor(private readonly parts: UndoingParts) {}

  /** Undoes the last gesture of the shape being drawn, the discarding of an outline, or the last step. */
  undo(): void {
    const { toolbox, history, sketch, drawing, creating, mode } = this.parts;
    if (toolbox.machine.undo?.()) return;
    const discarded = mode.mode === "segment" ? sketch.takeDiscarded() : null;
    if (discarded) {
      creating.continueSketch(discarded);
      return;
    }
    const { newest } = history;
    this.afterGestures("undo", () => {
      // Otherwise the newest step was made at once after the key press, and is not what the user wanted to undo.
      const now = history.newest;
      if (now === newest || (now && drawing.hasQueued(now))) this.follow(history.undo(), "undone");
    });
  }

  redo(): void {
    const { toolbox, history } = this.parts;
    if (!toolbox.machine.redo?.()) this.afterGestures("redo", () => this.follow(history.redo(), "redone"));
  }

  /**
   * Runs an undo or redo after the pending gestures. No more of them wait than there are gestures: the user cannot see
   * yet what they do, and a key that is held down would go on to earlier steps.
   */
  private afterGestures(kind: "undo" | "redo", act: () => void): void {
    const { drawing, ui } = this.parts;
    if (drawing.isBusy && this.waiting[kind] >= drawing.store.getState().waiting) {
      ui.showMessage(t`Please wait until the last drawing has been computed`);
      return;
    }
    this.waiting[kind]++;
    drawing.after(() => {
      this.waiting[kind]--;
      act();
    });
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
    const { name, action, outside } = outcome.step;
    // A step on other images is not done yet, and shows its own messages.
    if (outside) return;
    // The change may be invisible, such as labels in segment mode or a setting, or too large to be seen at once.
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
