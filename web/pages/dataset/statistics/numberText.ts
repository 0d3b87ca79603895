/** Number formats of the statistics. */

export const numberText = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 });

/** Returns a part as a percentage of the whole; "0%" if the whole is 0. */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent < 1 ? "under 1%" : `${Math.round(percent)}%`;
}

/** Formats a duration with its two largest units. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${numberText(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
