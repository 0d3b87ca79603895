import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { PolygonPort } from "./port";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 3;

/** State while the pointer is down: a click, or free-hand drawing once it moves. */
export class Pressing extends ToolState {
  readonly name = "pressing";
  private hasMoved = false;

  constructor(
    private readonly tool: PolygonPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    if (this.isDrag(input)) this.tool.drag(input);
  }

  /** Includes the point of release: in a fast stroke it lies beyond the last move event. */
  override up(input: PointerInput): void {
    if (this.isDrag(input) && this.tool.drag(input)) return;
    if (!this.tool.closeOnClick()) this.tool.drawing();
  }

  override abort(): void {
    this.tool.abortGesture();
  }

  /** Returns true once the pointer has moved enough to draw free-hand, even if it comes back to where it began. */
  private isDrag({ screen }: PointerInput): boolean {
    const { x, y } = this.from.screen;
    this.hasMoved ||= Math.hypot(screen.x - x, screen.y - y) >= CLICK_PX;
    return this.hasMoved;
  }
}
