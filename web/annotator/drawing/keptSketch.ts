import { uuid } from "../../io/uuid";
import type { AnnotatorDocument } from "../document/document";
import type { Sketch, SketchStore } from "../preferences/sketchStore";
import type { Selection } from "../state/selection";
import type { SketchPoints } from "../tools/common/ports";

/** Keeps the unfinished outline in this browser while it is drawn, so that a reload or another image does not lose it. */
export class KeptSketch {
  private isKept: boolean;
  private isLeaving = false;

  constructor(
    private readonly document: AnnotatorDocument,
    private readonly selection: Selection,
    private readonly store: SketchStore,
  ) {
    this.isKept = store.get() !== null;
  }

  get kept(): Sketch | null {
    return this.store.get();
  }

  /** Keeps the points of an unfinished outline of the selected annotation; null discards the kept points. */
  keep(points: SketchPoints | null): void {
    if (this.isLeaving) return;
    const annotation = this.document.annotation(this.selection.state.annotation);
    if (points && annotation) {
      const { startsNew, ...sketch } = points;
      const target = startsNew ? uuid() : annotation.uuid;
      this.store.set({ ...sketch, annotation: target, category: annotation.category_id });
    } else if (this.isKept) this.store.set(null);
    this.isKept = points !== null && annotation !== null;
  }

  /**
   * Must be called with true when the image is left, so that an outline that a tool then discards stays kept, and with
   * false when the image is shown.
   */
  setLeaving(isLeaving: boolean): void {
    this.isLeaving = isLeaving;
  }
}
