import { t } from "@lingui/core/macro";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Outlines } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { ReplaceableResult, ResultOperation } from "../tools/common/ports";
import { actionNames, type Drawing } from "./drawing";

export interface ReplaceableUnionParts {
  document: AnnotatorDocument;
  history: History;
  outlines: Outlines;
  commands: Commands;
  drawing: Drawing;
  /** Shows the selected annotation with other rings; null ends the preview. */
  preview: (rings: Rings | null) => void;
  /** Shows an outline that is not in place yet. */
  showPending: (seen: Rings | null) => { drop: () => void };
  notify: Notify;
}

const actions = () => ({ ...actionNames(), replace: t`Refine` }) as const;

type Before = Pick<Annotation, "rings" | "isbbox"> & { outline: Rings };

/**
 * A computed outline that is united with an annotation, cut out of it, or takes the place of its shape, and can be
 * replaced. Each outline is combined with the shape that the annotation had before the first one. An outline that would
 * leave nothing changes nothing.
 */
export class ReplaceableUnion implements ReplaceableResult {
  /** The annotation's shape before the first outline. */
  private before: Before | null = null;
  /** The undo step of all outlines, or of the later ones if another step on the annotation came in between. */
  private step: object | null = null;
  /** The rings that were written last. */
  private written: Annotation["rings"] = null;
  private isWriting = false;
  private isRemoved = false;
  /** Number of the newest requested preview; older ones that finish later are not shown. */
  private lastPreview = 0;
  private isShown = false;

  constructor(
    private readonly target: string,
    private readonly operation: ResultOperation,
    private readonly parts: ReplaceableUnionParts,
  ) {}

  get isPlaced(): boolean {
    return this.step !== null;
  }

  get isFinal(): boolean {
    return this.step !== null && !this.isWriting && (this.parts.history.newest !== this.step || !this.isUnchanged());
  }

  get isGone(): boolean {
    return this.parts.document.annotation(this.target) === null;
  }

  /**
   * Puts an outline in place after all earlier gestures. Resolves when the outline is in place. Does nothing if the
   * annotation was deleted, or if its shape was changed in another way after the first outline.
   */
  put(coming: Promise<Rings | null>, seen: Rings | null = null): Promise<void> {
    const shown = this.parts.showPending(seen);
    const work = async () => {
      const rings = await coming;
      if (rings) await this.place(rings);
    };
    return this.parts.drawing.enqueue(work, this.target).finally(shown.drop);
  }

  show(rings: Rings): void {
    const turn = ++this.lastPreview;
    if (!this.before || this.isFinal) return;
    const seen = this.combined(this.before.outline, rings);
    // A failed preview is reported when the result is put in place.
    seen.then((made) => turn === this.lastPreview && this.preview(made)).catch(() => undefined);
  }

  /** Removes the outline; redo restores it. */
  remove(): void {
    const { drawing, history, notify } = this.parts;
    this.isRemoved = true;
    this.hide();
    drawing.after(() => {
      if (this.step === null || history.newest !== this.step) return;
      if (history.undo().kind === "refused")
        notify("info", t`Cannot be undone`, t`Another user has made a newer change.`);
    });
  }

  /** Stores the combined shape. If the annotation's shape changes during the computation, computes again. */
  private async place(rings: Rings): Promise<void> {
    const { document, outlines, drawing } = this.parts;
    for (;;) {
      const now = document.annotation(this.target);
      if (!now || this.isRemoved || (this.step && !this.isUnchanged())) return;
      const before = (this.step && this.before) ?? { ...now, outline: await outlines.whenTraced(now) };
      const made = await this.combined(before.outline, rings);
      const then = document.annotation(this.target);
      if (then && (then.rings !== now.rings || then.rle !== now.rle)) continue;
      if (!then || this.isRemoved) return;
      this.before = before;
      drawing.write(() => this.write(before, made));
      return;
    }
  }

  private combined(shape: Rings, rings: Rings): Promise<Rings> {
    const { drawing } = this.parts;
    if (this.operation === "replace") return drawing.united([], rings, true);
    return this.operation === "subtract" ? drawing.cut(shape, rings) : drawing.united(shape, rings, true);
  }

  private write(before: Before, made: Rings): void {
    const { history, commands, document } = this.parts;
    const isNothing = made.length === 0 || same(made, before.outline);
    const reshape = () =>
      commands.reshape(
        this.target,
        isNothing ? before.rings : made,
        isNothing ? before.isbbox : false,
        actions()[this.operation],
      );
    this.isWriting = true;
    if (this.step && history.amend(this.step, reshape)) {
      if (!history.has(this.step)) this.step = null;
    } else {
      const { newest } = history;
      // A later step has changed something else of the annotation, such as its name: the outline is a step of its own.
      if (this.step || !isNothing) reshape();
      if (history.newest !== newest) this.step = isNothing ? null : history.newest;
    }
    this.written = document.annotation(this.target)?.rings ?? null;
    this.isWriting = false;
    this.hide();
  }

  private preview(rings: Rings): void {
    if (!this.step || this.isFinal || this.isRemoved) return;
    this.isShown = true;
    this.parts.preview(rings);
  }

  private hide(): void {
    this.lastPreview++;
    if (this.isShown) this.parts.preview(null);
    this.isShown = false;
  }

  private isUnchanged(): boolean {
    const now = this.parts.document.annotation(this.target);
    return now !== null && (now.rings === this.written || same(now.rings, this.written));
  }
}
