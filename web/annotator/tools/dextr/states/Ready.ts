import { DextrState } from "./DextrState";

/** No point is set. */
export class Ready extends DextrState {
  readonly name = "ready";

  override cancel(): boolean {
    return false;
  }

  override redo(): boolean {
    return this.tool.redoPoint();
  }
}
