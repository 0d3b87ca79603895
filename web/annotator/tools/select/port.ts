import type { Rings } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { PlacedKeypoint } from "../common/keypointPorts";
import type { SelectedShape } from "../common/ports";
import type { Place } from "./reshape";

/** Distance from a side of a box within which it can be dragged, in screen pixels. */
export const GRIP_PX = 8;

/** Part of the selected shape that is hit by the pointer. */
export type Hit =
  | { kind: "vertex"; place: Place; at: Point }
  /** `place.vertex` is the vertex before the hit point on the outline. */
  | { kind: "outline"; place: Place; at: Point }
  | { kind: "inside" };

/** Methods of the select tool that its states use. */
export interface SelectPort {
  selectedShape(): SelectedShape | null;
  hitAt(point: Point): Hit | null;
  keypointAt(point: Point): PlacedKeypoint | null;
  /** Grabs a keypoint: a drag moves it, a click selects it. */
  moveKeypoint(spot: PlacedKeypoint, from: PointerInput): void;
  onImage(point: Point): Point;
  scale(): number;
  /** Highlights what is under the pointer; null if it has left the canvas. */
  look(input: PointerInput | null): void;
  /** Selects the annotation under a point, or none. */
  pick(point: Point): void;
  /** Selects the annotation under a point and opens its settings. */
  open(point: Point): void;
  /** Begins to drag. */
  drag(drag: Drag): void;
  preview(rings: Rings | null): void;
  /** Ends a gesture by giving the shape new rings. */
  commit(shape: SelectedShape, rings: Rings, action: string): void;
  idle(): void;
}

export interface Drag {
  shape: SelectedShape;
  from: PointerInput;
  /** Name of the undo step. */
  action: string;
  /** Returns the rings for a pointer position. */
  change: (to: Point) => Rings;
  /** The rings after a press without a move; null if that does not change the shape. */
  click: Rings | null;
  /** True if the highlighted spot stays visible when the drag begins. */
  mark: boolean;
}
