import { t } from "@lingui/core/macro";
import { numberText } from "../languages/formats";

/** Formats a duration with its two largest units. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) {
    const ms = Math.round(milliseconds);
    return t`${ms} ms`;
  }
  if (milliseconds < 60_000) {
    const digits = milliseconds < 10_000 ? 1 : 0;
    const seconds = numberText(milliseconds / 1000, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return t`${seconds} s`;
  }
  const allMinutes = Math.round(milliseconds / 60_000);
  if (allMinutes < 60) {
    const [minutes, seconds] = [Math.floor(milliseconds / 60_000), Math.floor((milliseconds / 1000) % 60)];
    return t`${minutes} min ${seconds} s`;
  }
  const [hours, minutes] = [numberText(Math.floor(allMinutes / 60)), allMinutes % 60];
  return t`${hours} h ${minutes} min`;
}
