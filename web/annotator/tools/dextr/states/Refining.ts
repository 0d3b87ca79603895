import { DextrState } from "./DextrState";

/** The outline is in the annotation, if one was found, and can be refined by clicks on the border and by the threshold. */
export class Refining extends DextrState {
  readonly name = "refining";

  override complete(): void {
    this.tool.part();
  }

  /** Undo takes all of it back, as it is one step; where nothing was found, the last point. */
  override undo(): boolean {
    if (!this.tool.isPlaced) return this.tool.undoPoint();
    this.tool.rest();
    return false;
  }

  override redo(): boolean {
    return this.tool.redoPoint();
  }
}
