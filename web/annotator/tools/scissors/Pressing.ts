import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { ScissorsToolPort } from "./port";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 4;

/** State while the pointer is down: the anchor is set at its release, so that a finger can see the line first. */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: ScissorsToolPort,
    private readonly from: PointerInput,
    /** True if the press has set the first anchor; then only a drag sets another one. */
    private readonly isFirst: boolean,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override up(input: PointerInput): void {
    const { screen } = this.from;
    const isDrag = Math.hypot(input.screen.x - screen.x, input.screen.y - screen.y) >= CLICK_PX;
    this.tool.wait();
    if (isDrag || !this.isFirst) this.tool.anchor(input);
  }

  override abort(): void {
    if (this.isFirst) this.tool.removeLastPoint();
    this.tool.wait();
  }
}
