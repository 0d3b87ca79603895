/** State shown in the tool's panel. */
export interface DextrProgress {
  /** Name of the current state. */
  state: string;
  /** Number of points on the border, including extreme points that come from a shape. */
  points: number;
  /** Number of corrections. */
  corrections: number;
  /** True if the extreme points are those of a shape that is refined. */
  isRefinement: boolean;
  /** True if the network finds no object at this threshold. */
  isEmpty: boolean;
  /** Duration of the network's run, in milliseconds. */
  took: number | null;
  /** Message of the last failure; empty if there is none. */
  error: string;
  /** True if the next object becomes a new annotation. */
  startsNew: boolean;
}

export const NO_PROGRESS: DextrProgress = {
  state: "ready",
  points: 0,
  corrections: 0,
  isRefinement: false,
  isEmpty: false,
  took: null,
  error: "",
  startsNew: false,
};
