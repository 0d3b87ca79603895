/**
 * Images of a dataset that a user has skipped in this round through the queue, the oldest first. They are kept in
 * session storage, so that each tab has its own round; if storage is forbidden, nothing is skipped.
 */

/** The server leaves out at most 1,000 images, and the open one is among them. The oldest are asked for again. */
const MOST = 999;

const keyOf = (datasetId: number, username: string): string => `limn.skipped ${datasetId} ${username}`;

export function skippedImages(datasetId: number, username: string): number[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(datasetId, username)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(Number.isInteger) : [];
  } catch {
    return [];
  }
}

export function rememberSkipped(datasetId: number, username: string, imageId: number): void {
  const others = skippedImages(datasetId, username).filter((id) => id !== imageId);
  try {
    sessionStorage.setItem(keyOf(datasetId, username), JSON.stringify([...others, imageId].slice(-MOST)));
  } catch {
    // Private windows: the queue gives the image again.
  }
}

/** Ends the round: the queue gives the skipped images again. */
export function forgetSkipped(datasetId: number, username: string): void {
  try {
    sessionStorage.removeItem(keyOf(datasetId, username));
  } catch {
    // As above.
  }
}
