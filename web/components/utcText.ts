/** Formats an ISO 8601 time in UTC to the minute: `2026-01-31 09:05 UTC`. */
export const utcText = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;
