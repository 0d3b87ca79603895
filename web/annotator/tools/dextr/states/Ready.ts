import { DextrState } from "./DextrState";

/** State in which no point is set. */
export class Ready extends DextrState {
  readonly name = "ready";

  override cancel(): boolean {
    return false;
  }

  override redo(): boolean {
    return this.tool.redoPoint();
  }
}
