import type { PointerInput } from "../../../canvas/view/pointer";

/** Methods of DEXTR's tool that its states use. */
export interface DextrToolPort {
  /** True if the annotation has an outline of these points. */
  readonly isPlaced: boolean;
  /** Sets a point, which follows the pointer until it is released. */
  press(input: PointerInput): void;
  /** Moves the point that is being set. */
  drag(input: PointerInput): void;
  /** The point stays where it is. */
  release(): void;
  /** Takes back the point of a press that was cut off. */
  abortPress(): void;
  /** Moves the box that grows with the pointer; null takes the pointer out of it. */
  pointAt(input: PointerInput | null): void;
  /** Takes back the last point, to be put in again. Returns true if there was one. */
  undoPoint(): boolean;
  redoPoint(): boolean;
  /** Gives the points up and takes the outline back. */
  drop(): void;
  /** Gives up what is being computed: the refining point that asked for it, else all points. */
  giveUpLast(): void;
  /** The points have done their work: the outline stays as it is, and what is still being computed comes. */
  part(): void;
  takeWhatComes(): void;
  /** Takes the outline that the extreme points give by themselves, where there is no other. */
  takePreview(): void;
  /** Puts the outline at the slider's threshold into the annotation now. */
  rest(): void;
  /** Shows that the network is at work, or no longer. */
  showsWaiting(isWaiting: boolean): void;
}
