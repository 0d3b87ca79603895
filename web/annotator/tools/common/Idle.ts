import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "./tool";

/** Nothing is under way: a press begins. Tools that take hold of what is there have an idle state of their own. */
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
