import type { PointerInput } from "../../canvas/pointer";

/** What the states of the magic wand need of their tool. Inputs are where the pointer is. */
export interface WandToolPort {
  /** Begins a gesture with the region there. */
  press(input: PointerInput): void;
  /** Adds the region there to the gesture. */
  drag(input: PointerInput): void;
  /** Ends the gesture: its regions go into the annotation in hand. */
  finish(): void;
  /** Gives it up. */
  cancel(): boolean;
}
