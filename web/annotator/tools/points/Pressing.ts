import type { PointerInput } from "../../canvas/view/pointer";
import { isDrag } from "../common/presses";
import { ToolState } from "../common/tool";
import type { PointsPort } from "./port";

/** State while the pointer is down: a click adds a point, a drag also completes the line at its end. */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: PointsPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override up(input: PointerInput): void {
    if (isDrag(input, this.from)) this.tool.finish(input);
    else this.tool.drawing();
  }

  override abort(): void {
    this.tool.removeLastPoint();
  }
}
