import { createStore } from "zustand/vanilla";
import { uuid } from "../../io/uuid";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Sketch, SketchStore } from "../preferences/sketchStore";
import type { Selection } from "../state/selection";
import type { SketchPoints } from "../tools/common/ports";

/**
 * Keeps the unfinished outline in this browser while it is drawn, so that a reload or another image does not lose it.
 * Remembers an outline that was discarded, such as with Escape or by choosing another tool, until the next step.
 */
export class KeptSketch {
  /** The outline that undo brings back; null if there is none. */
  readonly discarded = createStore<{ sketch: Sketch | null }>(() => ({ sketch: null }));
  /** Number of steps that had been made when the outline was discarded. */
  private discardedAt = 0;
  private isKept: boolean;
  private isLeaving = false;

  constructor(
    private readonly document: AnnotatorDocument,
    private readonly selection: Selection,
    private readonly store: SketchStore,
    private readonly history: History,
  ) {
    this.isKept = store.get() !== null;
    history.store.subscribe(() => {
      if (history.made !== this.discardedAt && this.discarded.getState().sketch) this.takeDiscarded();
    });
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

  /** Discards the kept points, which undo brings back. Returns false if there are none, or if they stay kept. */
  discard(): boolean {
    const sketch = this.isKept ? this.store.get() : null;
    if (this.isLeaving || !sketch) return false;
    this.keep(null);
    this.discardedAt = this.history.made;
    this.discarded.setState({ sketch });
    return true;
  }

  /** Returns the outline that was discarded last, and forgets it; null if there is none. */
  takeDiscarded(): Sketch | null {
    const { sketch } = this.discarded.getState();
    if (sketch) this.discarded.setState({ sketch: null });
    return sketch;
  }

  /**
   * Must be called with true when the image is left, so that an outline that a tool then discards stays kept, and with
   * false when the image is shown.
   */
  setLeaving(isLeaving: boolean): void {
    this.isLeaving = isLeaving;
  }
}
