import { plural, t } from "@lingui/core/macro";

/**
 * Returns the line in the navigation bar, e.g. "Offline since 14:05 · 3 changes pending · Last synced 13:58". `since`
 * is the start of the outage, formatted; null if unknown.
 */
export const offlineText = (since: string | null, details: string[]): string =>
  [since === null ? t`Offline` : t`Offline since ${since}`, ...details].join(" · ");

/** Returns the number of pending edits. */
export const pendingText = (pending: number): string =>
  pending === 0 ? t`No changes pending` : plural(pending, { one: "# change pending", other: "# changes pending" });

/** Returns the time of the last complete update of a copy, which is given formatted. */
export const syncedText = (synced: string): string => t`Last synced ${synced}`;

/** Returns the message after a reconnect; undefined if nothing was sent. `conflicts`: number of new conflicts. */
export function sentText(sent: number, conflicts: number): string | undefined {
  if (sent <= 0 && conflicts <= 0) return undefined;
  const done =
    sent > 0 && plural(sent, { one: "# change made offline was sent.", other: "# changes made offline were sent." });
  const lost =
    conflicts > 0 && plural(conflicts, { one: "# change is in conflict.", other: "# changes are in conflict." });
  return [done, lost].filter(Boolean).join(" ");
}
