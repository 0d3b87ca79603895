const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/**
 * Formats a time in the local time zone: "14:05" for a time today, otherwise "3 Nov, 14:05". `time` and `now` are in
 * milliseconds since 1970.
 */
export function timeText(time: number, now = Date.now()): string {
  const clock = CLOCK.format(time);
  return new Date(time).toDateString() === new Date(now).toDateString() ? clock : `${DAY.format(time)}, ${clock}`;
}
