import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { BBoxPort } from "./port";

/** State after a click has set the first corner: the box follows the pointer until the second click. */
export class Drawing extends ToolState {
  readonly name = "drawing";
  private pressed = false;

  constructor(private readonly tool: BBoxPort) {
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
