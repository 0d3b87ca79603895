import { numberText } from "../languages/formats";

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Formats a size in decimal units, as file managers do: 1,234,567 is "1.2 MB". */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const digits = value >= 100 || step === 0 ? 0 : 1;
  return `${numberText(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${UNITS[step]}`;
}
