import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "./tool";

/** Methods of a tool that draws a line point by point. */
export interface LinePort {
  /** Begins a gesture with a point. */
  press(input: PointerInput): void;
  /** Moves the end of the line to the pointer; null moves it back to the last point. */
  pointAt(input: PointerInput | null): void;
  complete(): void;
}

/** State between two presses: the end of the line follows the pointer. */
export class Drawing extends ToolState {
  readonly name = "drawing";

  constructor(private readonly tool: LinePort) {
    super();
  }

  /** The second click of a double click completes the shape and adds no point. */
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
