import { i18n } from "../../languages/i18n";

/** In English the British way, with 24 hours. */
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(i18n.locale === "en" ? "en-GB" : i18n.locale, options);

/**
 * Formats a time in the local time zone: "14:05" for a time today, otherwise "3 Nov, 14:05". `time` and `now` are in
 * milliseconds since 1970.
 */
export function timeText(time: number, now = Date.now()): string {
  const clock = format({ hour: "2-digit", minute: "2-digit" }).format(time);
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return isToday ? clock : `${format({ day: "numeric", month: "short" }).format(time)}, ${clock}`;
}
