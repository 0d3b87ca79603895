import type { PointerInput } from "../../canvas/view/pointer";
import { isDrag } from "../common/presses";
import { ToolState } from "../common/tool";
import type { CornersPort } from "./port";

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
    if (isDrag(input, this.from)) this.tool.finish(input);
    else this.tool.wait();
  }

  override abort(): void {
    this.tool.cancel();
  }
}
