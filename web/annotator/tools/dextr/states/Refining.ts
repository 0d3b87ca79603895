import { DextrState } from "./DextrState";

/**
 * State after the outline has arrived; it is in the annotation unless it is empty. Clicks on the border, and the
 * threshold, refine it.
 */
export class Refining extends DextrState {
  readonly name = "refining";

  override complete(): void {
    this.tool.finishObject();
  }

  /** Leaves undo to the history, which removes the outline as one step; if none was found, undoes the last point. */
  override undo(): boolean {
    if (!this.tool.isPlaced) return this.tool.undoPoint();
    this.tool.commitThreshold();
    return false;
  }

  override redo(): boolean {
    return this.tool.redoPoint();
  }
}
