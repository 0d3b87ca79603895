import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Outlines } from "../document/outlines";
import type { Tell } from "../document/ports";
import type { ReplaceableResult } from "../tools/common/tool";
import type { Drawing } from "./drawing";

export interface HeldResultParts {
  document: AnnotatorDocument;
  history: History;
  outlines: Outlines;
  commands: Commands;
  drawing: Drawing;
  /** Shows the shape in hand with other rings; null shows it as it is. */
  preview: (rings: Rings | null) => void;
  /** Shows an outline that is not in place yet. */
  keep: (seen: Rings | null) => { drop: () => void };
  tell: Tell;
}

type Before = Pick<Annotation, "rings" | "isbbox"> & { outline: Rings };

/**
 * A computed outline that is united with an annotation and may be replaced by another, each united with the shape that
 * the annotation had before the first.
 */
export class HeldResult implements ReplaceableResult {
  private before: Before | null = null;
  private step: object | null = null;
  /** The shape that it has left. */
  private left: Annotation["rings"] = null;
  private isWriting = false;
  private isTakenBack = false;
  /** Rises with every outline that is to be shown: an older one comes too late. */
  private shown = 0;
  private isShown = false;

  constructor(
    private readonly target: string,
    private readonly parts: HeldResultParts,
  ) {}

  get isThere(): boolean {
    return this.step !== null;
  }

  get isOver(): boolean {
    return this.step !== null && !this.isWriting && (this.parts.history.newest !== this.step || !this.standsAsLeft());
  }

  get isGone(): boolean {
    return this.parts.document.annotation(this.target) === null;
  }

  /**
   * After all that was drawn earlier. Resolves when that is done. Where the annotation has gone, or has got another shape
   * after the first outline, nothing happens.
   */
  put(coming: Promise<Rings | null>, seen: Rings | null = null): Promise<void> {
    const kept = this.parts.keep(seen);
    const work = async () => {
      const rings = await coming;
      if (rings) await this.place(rings);
    };
    return this.parts.drawing.enqueue(work, this.target).finally(kept.drop);
  }

  show(rings: Rings): void {
    const turn = ++this.shown;
    if (!this.before || this.isOver) return;
    const seen = this.parts.drawing.united(this.before.outline, rings, true);
    // A failed preview is reported when the result is put in place.
    seen.then((made) => turn === this.shown && this.preview(made)).catch(() => undefined);
  }

  /** Redo brings it again. */
  takeBack(): void {
    const { drawing, history, tell } = this.parts;
    this.isTakenBack = true;
    this.hide();
    drawing.after(() => {
      if (this.step === null || history.newest !== this.step) return;
      if (history.undo().kind === "refused") tell("info", "Cannot be undone", "Another user has changed it since.");
    });
  }

  /** Stores the union. If the annotation's shape changes during the computation, computes again. */
  private async place(rings: Rings): Promise<void> {
    const { document, outlines, drawing } = this.parts;
    for (;;) {
      const now = document.annotation(this.target);
      if (!now || this.isTakenBack || (this.step && !this.standsAsLeft())) return;
      const before = (this.step && this.before) ?? { ...now, outline: await outlines.whole(now) };
      const made = await drawing.united(before.outline, rings, true);
      const then = document.annotation(this.target);
      if (then && (then.rings !== now.rings || then.rle !== now.rle)) continue;
      if (!then || this.isTakenBack) return;
      this.before = before;
      this.write(before, made);
      return;
    }
  }

  private write(before: Before, made: Rings): void {
    const { history, commands, document } = this.parts;
    const isNothing = same(made, before.outline);
    const reshape = () =>
      commands.reshape(this.target, isNothing ? before.rings : made, isNothing ? before.isbbox : false, "Unite");
    this.isWriting = true;
    if (!this.step) {
      const newest = history.newest;
      if (!isNothing) reshape();
      this.step = history.newest === newest ? null : history.newest;
    } else if (!history.amend(this.step, reshape) || !history.has(this.step)) this.step = null;
    this.left = document.annotation(this.target)?.rings ?? null;
    this.isWriting = false;
    this.hide();
  }

  private preview(rings: Rings): void {
    if (!this.step || this.isOver || this.isTakenBack) return;
    this.isShown = true;
    this.parts.preview(rings);
  }

  private hide(): void {
    this.shown++;
    if (this.isShown) this.parts.preview(null);
    this.isShown = false;
  }

  private standsAsLeft(): boolean {
    const now = this.parts.document.annotation(this.target);
    return now !== null && (now.rings === this.left || same(now.rings, this.left));
  }
}
