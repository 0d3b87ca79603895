import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "./tool";

/** A tool whose gesture is all that the pointer passes over between press and release. Inputs are where the pointer is. */
export interface Sweeper {
  /** Begins a gesture. */
  press(input: PointerInput): void;
  /** Goes on with it. */
  drag(input: PointerInput): void;
  /** Ends it: what it gave goes into the annotation in hand. */
  finish(): void;
  /** Gives it up. */
  cancel(): boolean;
}

/** The pointer is down. */
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

  /** The place of release counts as well: in a fast gesture it is farther on than the last move. */
  override up(input: PointerInput): void {
    this.tool.drag(input);
    this.tool.finish();
  }

  override abort(): void {
    this.tool.cancel();
  }
}
