/** Seconds in each unit; a month has 30 days and a year 365, as older servers count. */
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * Formats a time span, rounded down, in the largest unit that it exceeds: "3 hours", "1 day", "60 seconds". Empty for
 * less than two seconds. The caller adds "ago".
 */
export function ago(then: Date, now: Date = new Date()): string {
  const span = spanSince(then, now);
  return span ? `${span.count} ${span.unit}${span.count === 1 ? "" : "s"}` : "";
}

/** Returns the time span that `ago` formats, or null for less than two seconds. */
export function spanSince(then: Date, now: Date = new Date()) {
  const seconds = Math.floor((now.getTime() - then.getTime()) / 1000);
  const found = UNITS.find(([, length]) => seconds > length);
  return found ? { count: Math.floor(seconds / found[1]), unit: found[0] } : null;
}
