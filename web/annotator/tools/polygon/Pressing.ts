import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { PolygonPort } from "./port";

/** Screen pixels. */
const TREMBLE_PX = 3;

/** The pointer is down: a click so far, free-hand once it moves. */
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

  /** The place of release counts as well: in a fast stroke it is farther on than the last move. */
  override up(input: PointerInput): void {
    if (this.isDrag(input) && this.tool.drag(input)) return;
    if (!this.tool.clicked()) this.tool.drawing();
  }

  override abort(): void {
    this.tool.abortGesture();
  }

  /** A trembling hand is no free-hand line; a line that comes back to where it began is one. */
  private isDrag({ screen }: PointerInput): boolean {
    const { x, y } = this.from.screen;
    this.hasMoved ||= Math.hypot(screen.x - x, screen.y - y) >= TREMBLE_PX;
    return this.hasMoved;
  }
}
