import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "./tool";

/** A tool that acts on everything the pointer passes over between press and release. Inputs are pointer positions. */
export interface Sweeper {
  /** Begins a gesture. */
  press(input: PointerInput): void;
  /** Continues the gesture. */
  drag(input: PointerInput): void;
  /** Ends the gesture and puts its result into the selected annotation. */
  finish(): void;
  /** Discards the gesture. Returns true if there was one. */
  cancel(): boolean;
}

/** State while the pointer is down. */
export class Sweeping extends ToolState {
  constructor(
    private readonly tool: Sweeper,
    readonly name: string,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.drag(input);
  }

  /** Includes the point of release: in a fast gesture it lies beyond the last move event. */
  override up(input: PointerInput): void {
    this.tool.drag(input);
    this.tool.finish();
  }

  override abort(): void {
    this.tool.cancel();
  }
}
