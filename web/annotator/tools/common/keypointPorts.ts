import type { Point } from "../../canvas/view/view";

/** A placed keypoint of the selected annotation, in image pixels. */
export interface PlacedKeypoint extends Point {
  /** Stable id of the keypoint's label. */
  label: number;
}

/** Access to the keypoints of the selected annotation. Points are in image pixels. */
export interface KeypointPorts {
  /** Returns the placed keypoint nearest to a point, within `radius`. */
  at(point: Point, radius: number): PlacedKeypoint | null;
  /** Marks the keypoint under the pointer; with `at`, also shows its name there. */
  hover(label: number | null, at: Point | null): void;
  /** Selects a keypoint, or deselects it. With another one selected, toggles the edge between the two. */
  click(label: number): void;
  /** Undoes the effect of the double click's first click and opens the keypoint's settings. */
  doubleClick(label: number): void;
  /** Shows a keypoint during a gesture, even if its label is not placed yet; null ends the preview. `v`: visibility. */
  preview(point: PlacedKeypoint | null, v?: number): void;
  /** Moves a keypoint, as one undo step. */
  move(label: number, to: Point): void;
}

/** Additional access for the keypoints tool. */
export interface PlacingPorts extends KeypointPorts {
  /** Returns the next label to place and its name; null if all are placed. */
  next(): { label: number; name: string } | null;
  /**
   * Returns true if a label can be placed, if necessary in a new annotation; otherwise shows the user what is missing.
   */
  mayPlace(): boolean;
  /** Places the next label, as one undo step. Placing the last label leaves the tool. */
  place(at: Point, v: number): void;
  /** Deletes the last placed keypoint, as one undo step. Returns false if none is placed or one is selected. */
  removeLast(): boolean;
}
