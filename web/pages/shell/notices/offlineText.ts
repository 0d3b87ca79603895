import { plural, t } from "@lingui/core/macro";

interface Parts {
  /** Start of the outage, formatted; null if unknown. */
  since: string | null;
  /** Number of pending edits. */
  pending: number;
  /** Time of the last complete update of a copy, formatted; null if there is none. */
  synced: string | null;
}

/** Returns the line in the navigation bar, e.g. "Offline since 14:05 · 3 changes pending · Last synced 13:58". */
export function offlineText({ since, pending, synced }: Parts): string {
  const parts = [
    since === null ? t`Offline` : t`Offline since ${since}`,
    pending === 0 ? t`No changes pending` : plural(pending, { one: "# change pending", other: "# changes pending" }),
    synced !== null && t`Last synced ${synced}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Returns the message after a reconnect; undefined if nothing was sent. `conflicts`: number of new conflicts. */
export function sentText(sent: number, conflicts: number): string | undefined {
  if (sent <= 0 && conflicts <= 0) return undefined;
  const done =
    sent > 0 && plural(sent, { one: "# change made offline was sent.", other: "# changes made offline were sent." });
  const lost =
    conflicts > 0 && plural(conflicts, { one: "# change is in conflict.", other: "# changes are in conflict." });
  return [done, lost].filter(Boolean).join(" ");
}
