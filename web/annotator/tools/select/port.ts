import type { Rings } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { PlacedKeypoint } from "../common/keypointPorts";
import type { SelectedShape } from "../common/ports";
import type { Area } from "../common/selectionPorts";
import type { Place } from "./reshape";

/** Distance from a side of a box within which it can be dragged, in screen pixels. */
export const GRIP_PX = 8;
/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 3;

/** Returns true if the pointer has moved far enough since the press to count as a drag rather than a click. */
export function isFar({ screen }: PointerInput, from: PointerInput): boolean {
  return Math.hypot(screen.x - from.screen.x, screen.y - from.screen.y) >= CLICK_PX;
}

/** Part of the selected shape that is hit by the pointer. */
export type Hit =
  | { kind: "vertex"; place: Place; at: Point }
  /** `place.vertex` is the vertex before the hit point on the outline. */
  | { kind: "outline"; place: Place; at: Point }
  /** The handle that rotates a box. */
  | { kind: "turn" }
  | { kind: "inside" };

/** A hit on a vertex or an edge of the outline. */
export type PartHit = Extract<Hit, { place: Place }>;

/** Methods of the select tool that its states use. */
export interface SelectPort {
  selectedShape(): SelectedShape | null;
  hitAt(point: Point): Hit | null;
  keypointAt(point: Point): PlacedKeypoint | null;
  /** Grabs a keypoint: a drag moves it, a click selects it. */
  moveKeypoint(spot: PlacedKeypoint, from: PointerInput): void;
  onImage(point: Point): Point;
  /**
   * Returns the position for a dragged point: on another shape's border if one is near and snapping is on, otherwise
   * the nearest point on the image.
   */
  snapped(point: Point): Point;
  scale(): number;
  /** Highlights what is under the pointer; null if the pointer has left the canvas. */
  look(input: PointerInput | null): void;
  /** Selects the annotation under a point, or none. */
  pick(point: Point): void;
  /** Selects the annotation under a point and opens its settings. */
  open(point: Point): void;
  /** Selects the annotation under a point in addition to the others, or deselects it. */
  toggle(point: Point): void;
  /** True if a drag draws a loop around shapes, not a box. */
  readonly usesLasso: boolean;
  /** Returns true if a point is on the image and on no annotation. */
  isOnEmptyImage(point: Point): boolean;
  /** Begins to draw a box or a loop around shapes. */
  startMarquee(from: PointerInput): void;
  showMarquee(area: Area | null): void;
  /** Selects the annotations in an area; with `adds`, in addition to those selected before. */
  selectIn(area: Area, adds: boolean): void;
  /** Begins to move all selected shapes. Returns false if that is impossible. */
  startMove(from: PointerInput): boolean;
  /** Begins to drag a part of the selected shape, unless it may not be changed. */
  drag(drag: Drag): void;
  /** Returns true if the shape may be changed; otherwise shows the reason. */
  mayReshape(shape: SelectedShape): boolean;
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
  /** Returns the rings for a pointer position. `isShift`: true if Shift is held. */
  change: (to: Point, isShift: boolean) => Rings;
  /** Returns true if the rings form a box. Without this function, the shape's `isbbox` does not change. */
  isBox?: (rings: Rings) => boolean;
  /** The rings after a click without a drag; null if a click does not change the shape. */
  click: Rings | null;
  /** Name of the undo step of a click without a drag, if it differs from `action`. */
  clickAction?: string;
  /** True if the highlighted spot stays visible when the drag begins. */
  mark: boolean;
}
