import type { PointerInput } from "../../../canvas/view/pointer";
import { DextrState } from "./DextrState";

/** State while the pointer is down: the point follows it until release, so that it can be placed precisely. */
export class Placing extends DextrState {
  readonly name = "placing";

  override move(input: PointerInput): void {
    this.tool.drag(input);
  }

  override up(input: PointerInput): void {
    this.tool.drag(input);
    this.tool.release();
  }

  override abort(): void {
    this.tool.abortPress();
  }
}
