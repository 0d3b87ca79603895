import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { CornersPort } from "./port";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 4;

/**
 * State while the press that set the first corner lasts: a drag completes the shape, a click waits for a second click.
 */
export class Pressing extends ToolState {
  readonly name = "pressing";

  constructor(
    private readonly tool: CornersPort,
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
