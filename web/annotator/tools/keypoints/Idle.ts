import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { KeypointsPort } from "./port";

/** State between gestures: shows which keypoint a click would place or grab. */
export class Idle extends ToolState {
  readonly name = "idle";

  constructor(private readonly tool: KeypointsPort) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.look(input);
  }

  override leave(): void {
    this.tool.away();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }
}
