import { dateLocale } from "../../languages/formats";

/** Formats a time in the browser's locale and time zone, to the minute. */
export const dateText = (iso: string): string =>
  new Date(iso).toLocaleString(dateLocale(), { dateStyle: "medium", timeStyle: "short" });

export const isExpired = (iso: string | null, now = Date.now()): boolean => iso !== null && Date.parse(iso) <= now;
