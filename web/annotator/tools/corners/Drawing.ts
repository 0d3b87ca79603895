import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { CornersPort } from "./port";

/** State after a click has set the first corner: the shape follows the pointer until the second click. */
export class Drawing extends ToolState {
  readonly name = "drawing";
  private pressed = false;

  constructor(private readonly tool: CornersPort) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.pressed = true;
    this.tool.show(input);
    return true;
  }

  override move(input: PointerInput): void {
    this.tool.show(input);
  }

  override up(input: PointerInput): void {
    if (this.pressed) this.tool.finish(input);
  }

  override abort(): void {
    this.pressed = false;
  }
}
