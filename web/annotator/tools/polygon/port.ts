import type { PointerInput } from "../../canvas/view/pointer";

/** Methods of the polygon tool that its states use. */
export interface PolygonPort {
  /** Begins a gesture with a point. */
  press(input: PointerInput): void;
  /** Continues drawing by dragging. Returns true if that has closed the outline. */
  drag(input: PointerInput): boolean;
  /** Called after a click. Returns true if that has closed the outline. */
  clicked(): boolean;
  /** Waits for the next press. */
  drawing(): void;
  /** Moves the rubber band; null removes it. */
  pointAt(input: PointerInput | null): void;
  complete(): void;
  /** Removes the points of an interrupted press. */
  abortGesture(): void;
}
