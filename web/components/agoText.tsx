import { t } from "@lingui/core/macro";
import { spanSince } from "../../shared/rules/ago";
import { i18n } from "../languages/i18n";
import { utcText } from "./utcText";

/** Age of an ISO 8601 time, such as "3 minutes ago", with the time itself in a tooltip. */
export function AgoTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {agoText(iso)}
    </time>
  );
}

/** Returns how long ago an ISO 8601 time was: "3 minutes ago", "just now". */
export function agoText(iso: string): string {
  const span = spanSince(new Date(iso));
  return span ? format(span.count, span.unit) : t`just now`;
}

/** Returns the same for a time span as the server writes it: "3 minutes", or nothing for less than two seconds. */
export function agoOfSpan(span: string): string {
  const [count, unit] = span.split(" ");
  if (!Number(count)) return t`just now`;
  const units = ["year", "month", "day", "hour", "minute"] as const;
  return format(Number(count), units.find((each) => unit?.startsWith(each)) ?? "second");
}

const format = (count: number, unit: Intl.RelativeTimeFormatUnit): string =>
  new Intl.RelativeTimeFormat(i18n.locale).format(-count, unit);
