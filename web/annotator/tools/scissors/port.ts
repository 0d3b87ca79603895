import type { PointerInput } from "../../canvas/view/pointer";
import type { LinePort } from "../common/Drawing";

/** Methods of the scissors tool that its states use. Inputs are pointer positions. */
export interface ScissorsToolPort extends LinePort {
  /** Sets an anchor, or closes the outline if the pointer is at the first anchor. */
  anchor(input: PointerInput): void;
  /** Waits for the next press. */
  wait(): void;
  removeLastPoint(): boolean;
}
