import type { Rings } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { PlacedKeypoint } from "../common/keypointPorts";
import type { InHand } from "../common/tool";
import type { Place } from "./reshape";

/** Distance from a side of a box within which it can be dragged, in screen pixels. */
export const GRIP_PX = 8;

/** Effect of a press at a place on the shape in hand. */
export type Hold =
  | { kind: "vertex"; place: Place; at: Point }
  /** `place.vertex` is the vertex before the place on the outline. */
  | { kind: "outline"; place: Place; at: Point }
  | { kind: "inside" };

/** Methods of the select tool that its states use. */
export interface SelectPort {
  inHand(): InHand | null;
  holdAt(point: Point): Hold | null;
  keypointAt(point: Point): PlacedKeypoint | null;
  /** Takes hold of a keypoint: a drag moves it, a click selects it. */
  moveKeypoint(spot: PlacedKeypoint, from: PointerInput): void;
  onImage(point: Point): Point;
  scale(): number;
  /** Shows what is under the pointer; null when it is away. */
  look(input: PointerInput | null): void;
  /** Selects what lies under a point, or nothing. */
  pick(point: Point): void;
  /** Selects what lies under a point and opens its settings. */
  open(point: Point): void;
  /** Begins to drag: `change` gives the rings for each place of the pointer. */
  drag(drag: Drag): void;
  preview(rings: Rings | null): void;
  /** Ends a gesture: the shape in hand gets other rings. */
  commit(hand: InHand, rings: Rings, action: string): void;
  idle(): void;
}

export interface Drag {
  hand: InHand;
  from: PointerInput;
  /** As the undo step is called. */
  action: string;
  /** Rings for a pointer at a place. */
  change: (to: Point) => Rings;
  /** The rings that a press without a move gives, if it changes the shape too. */
  click: Rings | null;
  /** The mark that goes with the pointer. */
  mark: boolean;
}
