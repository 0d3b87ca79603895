import type { PointerInput } from "../../canvas/view/pointer";
import type { KeypointHolder } from "../common/MovingKeypoint";

/** Methods of the keypoints tool that its states use. */
export interface KeypointsPort extends KeypointHolder {
  /** Grabs the keypoint under the pointer; otherwise begins to place the next label, if there is one. */
  press(input: PointerInput): void;
  /** Previews the next label at the pointer. */
  aim(input: PointerInput): void;
  /** Places the next label. */
  place(input: PointerInput): void;
  /** Called when the pointer leaves the canvas. */
  away(): void;
}
