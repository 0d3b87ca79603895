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
  const seconds = Math.floor((now.getTime() - then.getTime()) / 1000);
  const unit = UNITS.find(([, length]) => seconds > length);
  if (!unit) return "";
  const count = Math.floor(seconds / unit[1]);
  return `${count} ${unit[0]}${count === 1 ? "" : "s"}`;
}
