import type { PointerInput } from "../../canvas/view/pointer";

/** Methods of the split tool that its states use. Inputs are pointer positions. */
export interface SplitPort {
  /** Adds a point to the line, if there is a shape to split. */
  press(input: PointerInput): void;
  /** Moves the end of the line to the pointer; null leaves it at the last point. */
  pointAt(input: PointerInput | null): void;
  /** Waits for the next point. */
  drawing(): void;
  /** Ends a drag: adds its end and splits the shape. */
  finish(input: PointerInput): void;
  /** Removes the point of an interrupted press. */
  removeLastPoint(): boolean;
  complete(): void;
}
