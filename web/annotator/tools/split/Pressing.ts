import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { SplitPort } from "./port";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 4;

/** State while the pointer is down: a click adds a point, a drag also splits at its end. */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: SplitPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override up(input: PointerInput): void {
    const { screen } = this.from;
    if (Math.hypot(input.screen.x - screen.x, input.screen.y - screen.y) < CLICK_PX) this.tool.drawing();
    else this.tool.finish(input);
  }

  override abort(): void {
    this.tool.removeLastPoint();
  }
}
