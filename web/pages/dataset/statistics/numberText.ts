/** Numbers as the statistics show them. */

export const numberText = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 });

/** A part of a whole; "0%" of nothing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent < 1 ? "under 1%" : `${Math.round(percent)}%`;
}

/** Time at work: the two largest units. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${numberText(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
