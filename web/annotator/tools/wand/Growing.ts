import type { PointerInput } from "../../canvas/pointer";
import { ToolState } from "../tool";
import type { WandToolPort } from "./port";

/** The pointer is down: each place that it comes to adds a region. */
export class Growing extends ToolState {
  readonly name = "growing";

  constructor(private readonly tool: WandToolPort) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.drag(input);
  }

  /** The place of release counts as well. */
  override up(input: PointerInput): void {
    this.tool.drag(input);
    this.tool.finish();
  }

  override abort(): void {
    this.tool.cancel();
  }
}
