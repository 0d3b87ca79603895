import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { Rerun } from "../../../shared/async/rerun";
import { same } from "../../../shared/edits/same";
import type { Rings } from "../../../shared/entities/shape";
import type { Compute } from "../../io/workers/workers";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import { type Outlines, sourceOf } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Drawing } from "./drawing";

export interface SimplifyingParts {
  document: AnnotatorDocument;
  selection: Selection;
  outlines: Outlines;
  commands: Commands;
  drawing: Drawing;
  compute: Pick<Compute, "simplify" | "smooth">;
  /** Shows the selected annotation with other rings; null ends the preview. */
  preview: (rings: Rings | null) => void;
  notify: Notify;
  /** The user's usual tolerance in image pixels. */
  tolerance: () => number;
}

/** A simplification that is being chosen. */
export interface SimplifyChoice {
  /** Uuid of the annotation. */
  target: string;
  /** Maximum distance between the old and the new outline, in image pixels. */
  tolerance: number;
  /** True if corners are rounded, too. */
  isRound: boolean;
  /** The stored shape that is simplified. */
  source: object;
  /** Numbers of points; `after` is null until they are known. */
  before: number;
  after: number | null;
}

/** Maximum tolerance that can be chosen, in image pixels. */
export const MOST_TOLERANCE = 20;
/** Tolerance to begin with if the user's usual one is 0. */
const FIRST_TOLERANCE = 1;

/** Simplifies the selected annotation's outline, with a preview until the user applies or cancels it. */
export class Simplifying {
  readonly store = createStore<{ choice: SimplifyChoice | null }>(() => ({ choice: null }));
  /** The user's last choice of rounding corners. */
  private isRound = false;
  /** Cancels the work that the user has applied from the current preview. */
  private applying: AbortController | null = null;
  private readonly previews = new Rerun(() => this.compute());

  constructor(private readonly parts: SimplifyingParts) {}

  get choice(): SimplifyChoice | null {
    return this.store.getState().choice;
  }

  /** Starts with the selected annotation. Returns false if there is no shape to simplify. */
  begin(): boolean {
    const { document, selection, outlines, tolerance } = this.parts;
    const annotation = document.annotation(selection.state.annotation);
    const before = annotation ? pointsOf(outlines.of(annotation)) : 0;
    if (!annotation || before === 0) return false;
    const first = Math.min(tolerance() || FIRST_TOLERANCE, MOST_TOLERANCE);
    const { isRound } = this;
    this.show({
      target: annotation.uuid,
      source: sourceOf(annotation),
      tolerance: first,
      isRound,
      before,
      after: null,
    });
    return true;
  }

  change(change: Partial<Pick<SimplifyChoice, "tolerance" | "isRound">>): void {
    this.isRound = change.isRound ?? this.isRound;
    if (this.choice) this.show({ ...this.choice, ...change });
  }

  /**
   * Gives the annotation the simplified shape, as one undo step, unless the user cancels before. A second call replaces
   * the first one. Resolves when the annotation has been changed.
   */
  async apply(): Promise<void> {
    const { choice } = this;
    if (!choice) return;
    this.applying?.abort();
    const own = new AbortController();
    this.applying = own;
    await this.parts.drawing.enqueue(() => this.put(choice, own.signal), choice.target);
    if (this.applying === own) this.end();
  }

  /** Ends the preview, and applies nothing that waits for its turn. Returns false if there was no preview. */
  cancel(): boolean {
    if (!this.choice) return false;
    this.applying?.abort();
    this.end();
    return true;
  }

  /**
   * Must be called when selection or document have changed. Ends the preview of an annotation whose shape has changed,
   * e.g. by a stroke that the applied simplification waits for. Loading the image again replaces equal shapes by new
   * objects, which changes nothing here.
   */
  refresh(): void {
    const { choice } = this;
    if (!choice) return;
    const { document, selection } = this.parts;
    const annotation = document.annotation(choice.target);
    const source = annotation && sourceOf(annotation);
    if (selection.state.annotation !== choice.target || !source || !same(source, choice.source)) this.end();
    else if (source !== choice.source) this.store.setState({ choice: { ...choice, source } });
  }

  /** Stores the simplified shape. If the annotation's shape changes during the computation, computes again. */
  private async put(choice: SimplifyChoice, cancelled: AbortSignal): Promise<void> {
    const { document, drawing, outlines, commands } = this.parts;
    for (;;) {
      const before = document.annotation(choice.target);
      if (!before || cancelled.aborted) return;
      const whole = await outlines.whenTraced(before);
      const rings = await this.simplified(whole, choice);
      const now = document.annotation(choice.target);
      if (now && sourceOf(now) !== sourceOf(before)) continue;
      if (!now || cancelled.aborted || same(rings, whole)) return;
      const action = choice.isRound ? t`Smooth` : t`Simplify`;
      drawing.write(() => commands.reshape(choice.target, rings, false, action));
      return;
    }
  }

  /** Ends the preview. What the user has applied is still stored. */
  private end(): void {
    this.applying = null;
    this.store.setState({ choice: null });
    this.parts.preview(null);
  }

  private show(choice: SimplifyChoice): void {
    this.store.setState({ choice });
    void this.previews.request();
  }

  /** Computes the preview. A failure ends the choice, unless the user has chosen something else meanwhile. */
  private async compute(): Promise<void> {
    try {
      await this.computePreview();
    } catch (error) {
      if (this.previews.isRequested || !this.cancel()) return;
      const message = error instanceof Error ? error.message : t`The outline could not be computed.`;
      this.parts.notify("error", t`Simplify`, message);
    }
  }

  private async computePreview(): Promise<void> {
    const { choice } = this;
    const annotation = this.parts.document.annotation(choice?.target ?? null);
    if (!choice || !annotation) return;
    const rings = await this.simplified(await this.parts.outlines.whenTraced(annotation), choice);
    if (!this.choice || this.choice.target !== choice.target) return;
    this.store.setState({ choice: { ...this.choice, after: pointsOf(rings) } });
    this.parts.preview(rings);
  }

  private simplified(rings: Rings, { tolerance, isRound }: SimplifyChoice): Promise<Rings> {
    const { simplify, smooth } = this.parts.compute;
    return isRound ? smooth(rings, tolerance) : simplify(rings, tolerance);
  }
}

const pointsOf = (rings: Rings): number => rings.flat().reduce((sum, ring) => sum + (ring.length >> 1), 0);
