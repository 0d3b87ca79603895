/** Pixels that Chromium reports for one notch of a wheel. */
const NOTCH_PX = 100;

/**
 * Converts wheel events to pixels, so that a notch is the same step in every browser. Firefox reports a notch in lines,
 * and the system decides how many: the smallest number seen counts as one notch. Trackpads report pixels.
 */
export class WheelPixels {
  private linesPerNotch = Number.POSITIVE_INFINITY;

  /** Returns the distance in CSS pixels. */
  of({ deltaX, deltaY, deltaMode }: Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode">): { dx: number; dy: number } {
    if (deltaMode === 0) return { dx: deltaX, dy: deltaY };
    const lines = Math.max(Math.abs(deltaX), Math.abs(deltaY));
    if (lines === 0) return { dx: 0, dy: 0 };
    this.linesPerNotch = Math.min(this.linesPerNotch, lines);
    const unit = NOTCH_PX / this.linesPerNotch;
    return { dx: deltaX * unit, dy: deltaY * unit };
  }
}
