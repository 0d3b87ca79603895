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
    since === null ? "Offline" : `Offline since ${since}`,
    pending === 0 ? "No changes pending" : `${changesText(pending)} pending`,
    synced !== null && `Last synced ${synced}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Returns the message after a reconnect; undefined if nothing was sent. `conflicts`: number of new conflicts. */
export function sentText(sent: number, conflicts: number): string | undefined {
  if (sent <= 0 && conflicts <= 0) return undefined;
  const done = sent > 0 ? `${changesText(sent)} made offline ${sent === 1 ? "was" : "were"} sent.` : "";
  const lost = conflicts > 0 ? `${changesText(conflicts)} ${conflicts === 1 ? "is" : "are"} in conflict.` : "";
  return `${done} ${lost}`.trim();
}

const changesText = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "change" : "changes"}`;
