import type { PointerInput } from "../../canvas/view/pointer";

/** Methods of the polygon tool that its states use. */
export interface PolygonPort {
  /** Begins a gesture with a point. */
  press(input: PointerInput): void;
  /** Draws on by dragging. Returns true if the outline has closed itself. */
  drag(input: PointerInput): boolean;
  /** After a click. Returns true if the outline has closed itself. */
  clicked(): boolean;
  /** Waits for the next press. */
  drawing(): void;
  /** Moves the rubber band; null takes it away. */
  pointAt(input: PointerInput | null): void;
  complete(): void;
  /** Takes back the points of a press that was cut off. */
  abortGesture(): void;
}
