import type { PointerInput } from "../../canvas/pointer";
import { ToolState } from "../tool";
import type { PaintPort } from "./port";

/** The pointer is up. */
export class Idle extends ToolState {
  readonly name = "idle";

  constructor(private readonly tool: PaintPort) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }
}
