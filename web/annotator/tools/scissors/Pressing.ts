import type { PointerInput } from "../../canvas/view/pointer";
import { isDrag } from "../common/presses";
import { ToolState } from "../common/tool";
import type { ScissorsToolPort } from "./port";

/**
 * State while the pointer is down: the anchor is set on release, so that users of a touch screen see the line first.
 */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: ScissorsToolPort,
    private readonly from: PointerInput,
    /** True if the press has set the first anchor; the release then sets a second anchor only after a drag. */
    private readonly isFirst: boolean,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override up(input: PointerInput): void {
    this.tool.wait();
    if (isDrag(input, this.from) || !this.isFirst) this.tool.anchor(input);
  }

  override abort(): void {
    if (this.isFirst) this.tool.removeLastPoint();
    this.tool.wait();
  }
}
