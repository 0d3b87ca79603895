import { DextrState } from "./DextrState";

/** The network could not answer. The clicks stay: Enter takes what they say by themselves, another click asks again. */
export class Failed extends DextrState {
  readonly name = "failed";

  override complete(): void {
    this.tool.takePreview();
  }

  override cancel(): boolean {
    this.tool.giveUpLast();
    return true;
  }
}
