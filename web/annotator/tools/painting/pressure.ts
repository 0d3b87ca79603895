/** Share of the radius that a pen paints with when it hardly touches. */
const LEAST = 0.2;
/** Pressure that browsers report for pens that cannot measure it. */
const UNKNOWN = 0.5;

/**
 * Returns the share of the brush's radius for the pressure of a pen, 0 to 1; the whole one without pressure.
 * `wasMeasured`: true if the pen has reported another pressure than the one that stands for none.
 */
export function shareOfRadius(pressure: number | undefined, wasMeasured: boolean): number {
  if (pressure === undefined || (pressure === UNKNOWN && !wasMeasured)) return 1;
  return LEAST + (1 - LEAST) * Math.min(Math.max(pressure, 0), 1);
}

/** Returns true for a pressure that a pen has measured. */
export const isMeasured = (pressure: number | undefined): boolean => pressure !== undefined && pressure !== UNKNOWN;
