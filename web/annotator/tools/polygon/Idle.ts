import type { PointerInput } from "../../canvas/pointer";
import { ToolState } from "../tool";
import type { PolygonPort } from "./port";

/** Nothing is drawn. */
export class Idle extends ToolState {
  readonly name = "idle";

  constructor(private readonly tool: PolygonPort) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }
}
