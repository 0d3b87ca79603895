import type { PointerInput } from "../../canvas/view/pointer";
import type { LinePort } from "../common/Drawing";

/** Methods of the split tool that its states use. Inputs are pointer positions. */
export interface SplitPort extends LinePort {
  /** Waits for the next point. */
  drawing(): void;
  /** Ends a drag: adds its end and splits the shape. */
  finish(input: PointerInput): void;
  /** Removes the point of an interrupted press. */
  removeLastPoint(): boolean;
}
