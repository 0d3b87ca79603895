import { t } from "@lingui/core/macro";
import { spanSince } from "../../shared/rules/ago";
import { i18n } from "../languages/i18n";

/** Returns how long ago an ISO 8601 time was: "3 minutes ago", "just now". */
export function agoText(iso: string): string {
  const span = spanSince(new Date(iso));
  return span ? new Intl.RelativeTimeFormat(i18n.locale).format(-span.count, span.unit) : t`just now`;
}
