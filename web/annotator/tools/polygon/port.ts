import type { PointerInput } from "../../canvas/view/pointer";
import type { LinePort } from "../common/Drawing";

/** Methods of the polygon tool that its states use. */
export interface PolygonPort extends LinePort {
  /**
   * Continues free-hand drawing. Closes the outline if the pointer is back at the first point; returns true if it did.
   */
  drag(input: PointerInput): boolean;
  /** Closes the outline if the clicked point is near the first one. Returns true if it did. */
  closeOnClick(): boolean;
  /** Waits for the next press. */
  drawing(): void;
  /** Removes the points of an interrupted press. */
  abortGesture(): void;
}
