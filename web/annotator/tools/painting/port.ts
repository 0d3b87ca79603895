import type { PointerInput } from "../../canvas/pointer";

/** What the states of brush and eraser need of their tool. Inputs are where the pointer is. */
export interface PaintPort {
  /** Begins a stroke. */
  press(input: PointerInput): void;
  /** Goes on with it. */
  drag(input: PointerInput): void;
  /** Ends it: it goes into the annotation in hand. */
  finish(): void;
  /** Gives it up. */
  cancel(): boolean;
}
