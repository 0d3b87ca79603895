/** Number formats of the statistics. */

export const numberText = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 });

/** Returns a part as a percentage of the whole; "0%" if the whole is 0. */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent < 1 ? "under 1%" : `${Math.round(percent)}%`;
}
