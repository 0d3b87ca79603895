import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { KeypointsPort } from "./port";

/** State while the pointer is down: the next keypoint follows it and is placed on release. */
export class Placing extends ToolState {
  readonly name = "placing";

  constructor(
    private readonly tool: KeypointsPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override enter(): void {
    this.tool.aim(this.from);
  }

  override move(input: PointerInput): void {
    this.tool.aim({ ...input, shift: this.from.shift });
  }

  override up(input: PointerInput): void {
    this.tool.place({ ...input, shift: this.from.shift });
  }

  override abort(): void {
    this.tool.idle();
  }

  override exit(): void {
    this.tool.keypoints.preview(null);
  }
}
