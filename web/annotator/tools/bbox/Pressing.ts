import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { BBoxPort } from "./port";

/** A hand that moves less than this many screen pixels has clicked, not dragged. */
const CLICK_PX = 4;

/** The first corner is set and the pointer is still down: a drag ends with the box, a click waits for the second. */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: BBoxPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.show(input);
  }

  override up(input: PointerInput): void {
    const { screen } = this.from;
    if (Math.hypot(input.screen.x - screen.x, input.screen.y - screen.y) < CLICK_PX) this.tool.wait();
    else this.tool.finish(input);
  }

  override abort(): void {
    this.tool.cancel();
  }
}
