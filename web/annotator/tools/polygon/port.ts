import type { PointerInput } from "../../canvas/view/pointer";
import type { LinePort } from "../common/Drawing";

/** Methods of the polygon tool that its states use. */
export interface PolygonPort extends LinePort {
  /** Continues drawing by dragging. Returns true if that has closed the outline. */
  drag(input: PointerInput): boolean;
  /** Called after a click. Returns true if that has closed the outline. */
  clicked(): boolean;
  /** Waits for the next press. */
  drawing(): void;
  /** Removes the points of an interrupted press. */
  abortGesture(): void;
}
