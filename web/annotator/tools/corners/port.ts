import type { PointerInput } from "../../canvas/view/pointer";

/** Methods of a two-corner tool that its states use. Inputs are pointer positions. */
export interface CornersPort {
  /** Image pixels per screen pixel. */
  readonly scale: number;
  /** Sets the first corner, if drawing is possible. */
  press(input: PointerInput): void;
  /** Waits for the second corner. */
  wait(): void;
  show(input: PointerInput): void;
  /** Sets the opposite corner. */
  finish(input: PointerInput): void;
  cancel(): boolean;
}
