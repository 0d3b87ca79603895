import type { PointerInput } from "../../canvas/pointer";
import { ToolState } from "../tool";
import type { BBoxPort } from "./port";

/** No corner is set. */
export class Idle extends ToolState {
  readonly name = "idle";

  constructor(private readonly tool: BBoxPort) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }
}
