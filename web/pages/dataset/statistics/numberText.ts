import { t } from "@lingui/core/macro";
import { numberText as formatNumber } from "../../../languages/formats";

/** Number formats of the statistics. */

export const numberText = (value: number): string => formatNumber(value, { maximumFractionDigits: 2 });

/** Returns a part as a percentage of the whole; "0%" if the whole is 0. */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent < 1 ? t`under 1%` : `${Math.round(percent)}%`;
}
