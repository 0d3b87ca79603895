import type { PointerInput } from "../../../canvas/view/pointer";
import { DextrState } from "./DextrState";

/** State with one to three extreme points set: the box grows with the pointer. */
export class Setting extends DextrState {
  readonly name = "setting";

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override leave(): void {
    this.tool.pointAt(null);
  }
}
