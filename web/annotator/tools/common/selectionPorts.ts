import type { Ring } from "../../../../shared/entities/shape";
import type { Box } from "../../canvas/shapes/shapes";
import type { Point } from "../../canvas/view/view";

/** A box, or a loop x, y, x, y, … drawn by hand. */
export type Area = Box | Ring;

/** A move of all selected annotations. The document changes when it is committed. */
export interface Move {
  /** Shows the annotations moved by a distance in image pixels, but not out of the image. */
  show(by: Point): void;
  /** Moves the annotations by the distance shown last, as one undo step. */
  commit(): void;
  /** Ends the preview. */
  end(): void;
  /**
   * Returns true if none of the annotations is selected any more, or if the user's own edit has changed one of them,
   * which is then shown: the move would undo that edit.
   */
  isGone(): boolean;
}

/** Selects several annotations and moves them. Points and boxes are in image pixels. */
export interface SelectionPorts {
  /** True if more than one annotation is selected. */
  isMany(): boolean;
  /** Returns true if a selected annotation is at a point, even below another one. */
  isSelectedAt(point: Point): boolean;
  /** Selects an annotation in addition to the others, as the main one, or deselects it. */
  toggle(uuid: string): void;
  /**
   * Selects the visible annotations that lie entirely in an area; with `adds`, in addition to those selected before.
   */
  selectIn(area: Area, adds: boolean): void;
  /** Shows a box or loop that is being drawn around annotations; null removes it. */
  showMarquee(area: Area | null): void;
  /** Begins to move the selected annotations; null if none is visible and unlocked. */
  beginMove(): Move | null;
  /** Returns true if a point lies on the image. */
  isOnImage(point: Point): boolean;
}
