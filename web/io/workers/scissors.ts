import type { Ring } from "../../../shared/entities/shape";
import type { Place } from "../../../shared/scissors/liveWire";

/** Intelligent scissors on one image. A separate worker holds the pixels from the first call on. */
export interface Scissors {
  /**
   * Returns the line x, y, x, y, … along borders from one point to another, in image pixels; if `from` is null, only
   * the end point. `reach`: distance in image pixels within which the end moves to a border. `detail`: required
   * precision of the line in image pixels. Rejects if the image cannot be loaded or the worker fails; the next call
   * tries again.
   */
  follow(from: Place | null, to: Place, reach: number, detail: number): Promise<Ring>;
  /** Loads the image ahead of the first call. */
  prepare(): void;
  /** Releases the image. */
  close(): void;
}
