import type { PointerInput } from "../../canvas/pointer";

/** What the states of the box tool need of it. Inputs are where the pointer is. */
export interface BBoxPort {
  /** Image pixels per screen pixel. */
  readonly scale: number;
  /** Sets the first corner, if anything may be drawn. */
  press(input: PointerInput): void;
  /** Waits for the second corner. */
  wait(): void;
  show(input: PointerInput): void;
  /** Sets the opposite corner. */
  finish(input: PointerInput): void;
  cancel(): boolean;
}
