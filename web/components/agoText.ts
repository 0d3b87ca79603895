import { ago } from "../../shared/rules/ago";

/** Returns how long ago an ISO 8601 time was: "3 minutes ago", "just now". */
export function agoText(iso: string): string {
  const text = ago(new Date(iso));
  return text === "" ? "just now" : `${text} ago`;
}
