import { DextrState } from "./DextrState";

/**
 * State after the network failed. The clicks stay: Enter accepts the rough outline through them, another click asks
 * again.
 */
export class Failed extends DextrState {
  readonly name = "failed";

  override complete(): void {
    this.tool.acceptRoughOutline();
  }

  override cancel(): boolean {
    this.tool.discardLast();
    return true;
  }
}
