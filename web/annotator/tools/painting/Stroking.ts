import type { PointerInput } from "../../canvas/pointer";
import { ToolState } from "../tool";
import type { PaintPort } from "./port";

/** The pointer is down and paints. */
export class Stroking extends ToolState {
  readonly name = "stroking";

  constructor(private readonly tool: PaintPort) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.drag(input);
  }

  /** The place of release counts as well: in a fast stroke it is farther on than the last move. */
  override up(input: PointerInput): void {
    this.tool.drag(input);
    this.tool.finish();
  }

  override abort(): void {
    this.tool.cancel();
  }
}
