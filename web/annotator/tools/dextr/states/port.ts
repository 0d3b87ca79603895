import type { PointerInput } from "../../../canvas/view/pointer";

/** Methods of the DEXTR tool that its states use. */
export interface DextrToolPort {
  /** True if an outline of these points has been united with the annotation or cut out of it. */
  readonly isPlaced: boolean;
  /** True if the last click is a correction, which undo removes as a step of its own. */
  readonly isCorrectedLast: boolean;
  /** Sets a point, which follows the pointer until it is released. */
  press(input: PointerInput): void;
  /** Moves the point being set. */
  drag(input: PointerInput): void;
  /** Sets the point at its current position. */
  release(): void;
  /** Removes the point of an interrupted press. */
  abortPress(): void;
  /** Extends the box to the pointer; null excludes the pointer. */
  pointAt(input: PointerInput | null): void;
  /** Shows by the cursor what a press would mean here; null restores the tool's cursor. */
  showMeaning(input: PointerInput | null): void;
  /** Undoes the last point. Returns true if there was one. */
  undoPoint(): boolean;
  redoPoint(): boolean;
  /** Discards all points and removes the outline. */
  discardAll(): void;
  /** Discards the last refining point if an outline is in place, otherwise all points. */
  discardLast(): void;
  /** Finishes with these points: the outline stays, and one still being computed is put in place when it arrives. */
  finishObject(): void;
  /** Accepts the outline as soon as it is computed. */
  acceptWhenComputed(): void;
  /** Finishes with the rough outline through the extreme points if no outline is in place. */
  acceptRoughOutline(): void;
  /** Puts the outline for the slider's threshold into the annotation now. */
  commitThreshold(): void;
  /** Shows or hides that the network is computing. */
  showWaiting(isWaiting: boolean): void;
}
