import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "./tool";

/** State between gestures: a press begins a gesture. Tools that can grab existing shapes have their own idle state. */
export class Idle extends ToolState {
  readonly name = "idle";

  constructor(private readonly tool: { press(input: PointerInput): void }) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }
}
