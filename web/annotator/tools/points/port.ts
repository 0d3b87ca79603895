import type { PointerInput } from "../../canvas/view/pointer";
import type { LinePort } from "../common/Drawing";

/** Methods of an open-line tool that its states use. Inputs are pointer positions. */
export interface PointsPort extends LinePort {
  /** Waits for the next point. */
  drawing(): void;
  /** Ends a drag: adds the point of release and completes the line. */
  finish(input: PointerInput): void;
  /** Removes the point of an interrupted press. */
  removeLastPoint(): boolean;
}
