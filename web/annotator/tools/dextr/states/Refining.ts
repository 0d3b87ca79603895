import type { PointerInput } from "../../../canvas/view/pointer";
import { DextrState } from "./DextrState";

/**
 * State after the outline has arrived; it is in the annotation unless it is empty. Corrections, clicks on the border
 * and the threshold refine it.
 */
export class Refining extends DextrState {
  readonly name = "refining";

  override exit(): void {
    this.tool.showMeaning(null);
  }

  override move(input: PointerInput): void {
    this.tool.showMeaning(input);
  }

  override leave(): void {
    this.tool.showMeaning(null);
  }

  override complete(): void {
    this.tool.finishObject();
  }

  /**
   * Undoes the last correction. Without corrections, leaves undo to the history, which removes the outline as one step;
   * if no outline was found, undoes the last point.
   */
  override undo(): boolean {
    if (!this.tool.isPlaced || this.tool.isCorrectedLast) return this.tool.undoPoint();
    this.tool.commitThreshold();
    return false;
  }

  override redo(): boolean {
    return this.tool.redoPoint();
  }
}
