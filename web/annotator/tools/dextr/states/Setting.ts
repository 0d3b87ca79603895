import type { PointerInput } from "../../../canvas/view/pointer";
import { DextrState } from "./DextrState";

/** Not all four extreme points are set: the box grows with the pointer. */
export class Setting extends DextrState {
  readonly name = "setting";

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override leave(): void {
    this.tool.pointAt(null);
  }
}
