import type { Point } from "../../canvas/view/view";

/** A placed keypoint of the annotation in hand. Image pixels. */
export interface PlacedKeypoint extends Point {
  /** Stable id of its label. */
  label: number;
}

/** Access to the keypoints of the annotation in hand. Points are image pixels. */
export interface KeypointPorts {
  /** The placed keypoint nearest to a point, within `radius`. */
  at(point: Point, radius: number): PlacedKeypoint | null;
  /** Marks a keypoint as being under the pointer and, where `at` is given, says what it is beside it. */
  hover(label: number | null, at: Point | null): void;
  /** Selects a keypoint, or lets the selected one go. With another one selected, toggles the edge between the two. */
  click(label: number): void;
  /** Takes back what the first click of a double click has done, and opens the keypoint's settings. */
  doubleClick(label: number): void;
  /** Shows a label's point at a place while a gesture lasts, also one that is not placed yet; null ends that. */
  preview(point: PlacedKeypoint | null, v?: number): void;
  /** One undo step. */
  move(label: number, to: Point): void;
}

/** Further access for the keypoints tool. */
export interface PlacingPorts extends KeypointPorts {
  /** The label that comes next and its name; null where all are placed. */
  next(): { label: number; name: string } | null;
  /** Returns true if there are labels to place; otherwise the user is told what is missing. */
  mayPlace(): boolean;
  /** Places the next label, as one undo step. Placing the last one puts the tool down. */
  place(at: Point, v: number): void;
}
