import type { Choice, CopyState } from "./records";

/** State of one chosen dataset, for pages. */
export interface CopyProgress {
  datasetId: number;
  name: string;
  state: CopyState;
  choice: Choice;
  /** Shown to the user if the state is `failed`. */
  problem: string | null;
  /** Time of the last complete update, in milliseconds since 1970; null before the first. */
  syncedAt: number | null;
  /** Number of chosen images, and number of chosen images whose scene and file are in this browser. */
  images: { total: number; here: number };
  /** Bytes of the files of these images. */
  bytes: { total: number; here: number };
}

/** State of the user's copies in this browser, the same in all tabs. */
export interface CopiesState {
  /** `unavailable`: the browser offers no storage, e.g. in a private window; see `reason`. */
  state: "loading" | "loaded" | "unavailable";
  reason: string | null;
  /** Sorted by name. */
  datasets: readonly CopyProgress[];
  /** Bytes used by images that are kept because they were opened, and the user's limit. */
  recent: { bytes: number; limit: number };
}

/** Size of a choice. `free`: free storage of this browser in bytes, or null if unknown. */
export interface Estimate {
  images: number;
  bytes: number;
  free: number | null;
}
