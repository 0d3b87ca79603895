import { plural, t } from "@lingui/core/macro";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { deletion, modification } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import { uuid } from "../../io/uuid";
import type { Point } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { History } from "../document/history";
import type { Outlines } from "../document/outlines";
import type { Drawing } from "../drawing/drawing";
import { noneSelectedText, requireChangeable, withLocked } from "./changeable";
import { MovedAnnotations } from "./move";
import type { Selecting, SelectingParts } from "./Selecting";

interface SelectedParts extends SelectingParts {
  selecting: Selecting;
  history: History;
  commands: Commands;
  outlines: Outlines;
  drawing: Drawing;
}

/** Commands on all selected annotations. Each change is one undo step and one batch of edits. */
export class SelectedCommands {
  /** Uuids of the annotations that were hidden last. */
  private hidden: readonly string[] = [];
  /**
   * The undo step of the last nudge, and the annotations that it moved. Further nudges of the same annotations join the
   * step.
   */
  private nudged: { step: object; targets: string } | null = null;

  constructor(private readonly parts: SelectedParts) {}

  /** Deletes the selected annotations, without selecting others. */
  delete(): void {
    const { drawing, selecting, ui } = this.parts;
    const remembered = selecting.remember();
    drawing.after(() => {
      const annotations = remembered();
      const changeable = requireChangeable(this.parts, annotations);
      if (changeable.length === 0) return;
      this.remove(changeable, t`Delete`);
      const locked = annotations.length - changeable.length;
      const deleted = plural(changeable.length, { one: "# annotation deleted", other: "# annotations deleted" });
      ui.showMessage(withLocked(deleted, locked));
    });
  }

  /** Deletes those of the annotations that still exist. */
  remove(annotations: readonly Annotation[], action: string): void {
    const { document, commands } = this.parts;
    const there = annotations.flatMap(({ uuid: target }) => document.annotation(target) ?? []);
    commands.applyAll(
      there.map((annotation) => deletion(uuid(), annotation)),
      action,
    );
  }

  /**
   * Hides the selected annotations. If none of them is visible, shows them again; without a selection, shows the
   * annotations that were hidden last.
   */
  hideOrShow(): void {
    const { selecting, selection, layers, document, ui } = this.parts;
    const visible = selecting.visible.map((annotation) => annotation.uuid);
    if (visible.length > 0) {
      this.hidden = visible;
      layers.setHidden(visible, true);
      ui.showMessage(plural(visible.length, { one: "# annotation hidden", other: "# annotations hidden" }));
      return;
    }
    const { all } = selection.state;
    const shown = (all.size > 0 ? [...all] : this.hidden).flatMap((each) => document.annotation(each) ?? []);
    if (shown.length === 0) {
      ui.showMessage(noneSelectedText());
      return;
    }
    layers.showAnnotations(shown);
    selection.selectAnnotations(shown);
    ui.showMessage(plural(shown.length, { one: "# annotation shown", other: "# annotations shown" }));
  }

  /** Locks the selected annotations, or unlocks them if all are locked. They stay selected. */
  lockOrUnlock(): void {
    const { selecting, locks, ui } = this.parts;
    const { annotations, changeable } = selecting;
    if (annotations.length === 0) {
      ui.showMessage(noneSelectedText());
      return;
    }
    const wanted = changeable.length > 0 ? changeable : annotations;
    locks.set(
      wanted.map((each) => each.uuid),
      changeable.length > 0,
    );
    ui.showMessage(
      changeable.length > 0
        ? plural(wanted.length, { one: "# annotation locked", other: "# annotations locked" })
        : unlockedText(wanted.length),
    );
  }

  unlockAll(): void {
    const { document, locks, ui } = this.parts;
    const count = [...locks.locked].filter((uuid) => document.annotation(uuid)).length;
    locks.set(locks.locked, false);
    ui.showMessage(unlockedText(count));
  }

  /** Changes fields of the selected annotations that are not locked. `changeOf` returns an annotation's new values. */
  change(changeOf: (annotation: Annotation) => AnnotationChange, action: string): void {
    const { selecting, selection, commands, ui } = this.parts;
    const changeable = requireChangeable(this.parts);
    const edits = changeable.flatMap((annotation) => modification(uuid(), annotation, changeOf(annotation)) ?? []);
    if (edits.length === 0) return;
    const locked = selecting.annotations.length - changeable.length;
    commands.applyAll(edits, action);
    // Selects the annotations again, because the category of the main one may have changed.
    selection.selectAnnotations(selecting.annotations);
    const changed = plural(edits.length, { one: "# annotation changed", other: "# annotations changed" });
    ui.showMessage(withLocked(changed, locked));
  }

  /** Moves the selected annotations by a distance in image pixels, but not out of the image. */
  nudge(by: Point): void {
    const { drawing, document, history, commands, selecting, ui } = this.parts;
    const remembered = selecting.remember();
    drawing.after(() => {
      const annotations = remembered();
      if (requireChangeable(this.parts, annotations).length === 0) return;
      const visible = selecting.visibleOf(annotations);
      if (visible.length === 0) ui.showMessage(t`Select a visible annotation first`);
      const moved = this.beginMove(visible);
      const edits = moved.edits(moved.limited(by), (each) => document.annotation(each));
      const targets = moved.uuids.join();
      const { nudged } = this;
      const isSame = nudged?.targets === targets && nudged.step === history.newest;
      if (edits.length === 0 || (isSame && history.amend(nudged.step, () => document.apply(edits, "local")))) return;
      commands.applyAll(edits, t`Move`);
      this.nudged = history.newest && { step: history.newest, targets };
    });
  }

  /** Returns the selected annotations to drag: visible, not locked, and without a pending gesture that changes them. */
  beginDrag(): MovedAnnotations {
    const { selecting, drawing, ui } = this.parts;
    const { visible } = selecting;
    const ready = visible.filter(({ uuid }) => !drawing.hasPending(uuid));
    const pending = visible.length - ready.length;
    if (pending > 0)
      ui.showMessage(
        plural(pending, {
          one: "# annotation cannot be moved yet, because its shape is still being computed",
          other: "# annotations cannot be moved yet, because their shapes are still being computed",
        }),
      );
    return this.beginMove(ready);
  }

  /** Returns those of the annotations that are not locked, to be moved. */
  private beginMove(annotations: readonly Annotation[]): MovedAnnotations {
    const { document, outlines, selecting, ui } = this.parts;
    const moved = new MovedAnnotations(
      selecting.changeableOf(annotations),
      (annotation) => outlines.of(annotation),
      document.state.image,
    );
    if (moved.untraced > 0)
      ui.showMessage(
        plural(moved.untraced, {
          one: "# annotation cannot be moved yet, because the mask is still being read",
          other: "# annotations cannot be moved yet, because the mask is still being read",
        }),
      );
    return moved;
  }
}

const unlockedText = (count: number): string =>
  plural(count, { one: "# annotation unlocked", other: "# annotations unlocked" });
