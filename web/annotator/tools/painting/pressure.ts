/** Fraction of the brush radius that a pen paints with at the lowest pressure. */
const LEAST = 0.2;
/** Pressure that browsers report for pens that cannot measure it. */
const UNKNOWN = 0.5;

/**
 * Returns the fraction of the brush radius for a pen pressure of 0 to 1; 1 if the pressure is unknown. `wasMeasured`:
 * true if the pen has ever reported a pressure other than 0.5, the value that browsers send for pens without a sensor.
 */
export function shareOfRadius(pressure: number | undefined, wasMeasured: boolean): number {
  if (pressure === undefined || (pressure === UNKNOWN && !wasMeasured)) return 1;
  return LEAST + (1 - LEAST) * Math.min(Math.max(pressure, 0), 1);
}

/** Returns true if a pressure must have been measured by the pen. */
export const isMeasured = (pressure: number | undefined): boolean => pressure !== undefined && pressure !== UNKNOWN;
