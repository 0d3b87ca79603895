import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { SplitPort } from "./port";

/** State between two points: the end of the line follows the pointer. */
export class Drawing extends ToolState {
  readonly name = "drawing";

  constructor(private readonly tool: SplitPort) {
    super();
  }

  /** The second click of a double click ends the line and adds no point. */
  override down(input: PointerInput): boolean {
    if (input.clicks === 2) this.tool.complete();
    else this.tool.press(input);
    return true;
  }

  override move(input: PointerInput): void {
    this.tool.pointAt(input);
  }

  override leave(): void {
    this.tool.pointAt(null);
  }
}
