import type { PointerInput } from "../../canvas/pointer";
import { ToolState } from "../tool";
import type { PolygonPort } from "./port";

/** Screen pixels. */
const TREMBLE_PX = 3;

/** The pointer is down: a click so far, free-hand once it moves. */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: PolygonPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  /** A trembling hand is no free-hand line: a drag begins after a few screen pixels. */
  override move(input: PointerInput): void {
    const { screen } = this.from;
    if (Math.hypot(input.screen.x - screen.x, input.screen.y - screen.y) >= TREMBLE_PX) this.tool.drag(input);
  }

  override up(): void {
    if (!this.tool.clicked()) this.tool.drawing();
  }

  override abort(): void {
    this.tool.abortGesture();
  }
}
