import type { PointerInput } from "../../canvas/view/pointer";
import type { KeypointHolder } from "../common/MovingKeypoint";

/** Methods of the keypoints tool that its states use. */
export interface KeypointsPort extends KeypointHolder {
  /** Takes hold of the keypoint under the pointer, else begins to place the next label, if there is one. */
  press(input: PointerInput): void;
  /** Shows the next label where it would be placed. */
  aim(input: PointerInput): void;
  /** Places the next label. */
  place(input: PointerInput): void;
  /** The pointer is away. */
  away(): void;
}
