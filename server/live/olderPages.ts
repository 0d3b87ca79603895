interface Page {
  imageId: number;
  /** The session, token, user or address that identifies the page's calls (`clientOf`). */
  client: string;
}

/**
 * Maximum number of remembered departures. Within a second of leaving an image, a page deletes the annotations that it
 * considers empty.
 */
const MAX_DEPARTURES = 1_000;

/**
 * Images that pages of older clients have open in this process. Their calls do not name the page, so several pages of
 * one client cannot be told apart.
 */
export class OlderPages {
  private readonly pages = new Map<string, Page>();
  /** The last departure of each client from each image, oldest first. `at`: value of `performance.now()`. */
  private readonly departures = new Map<string, { at: number; socketId: string }>();

  /** Records the image that the page of a socket has open. */
  enter(socketId: string, page: Page): void {
    this.leave(socketId);
    this.pages.set(socketId, page);
    const key = keyOf(page);
    // The same page was loaded again, so it has not left.
    if (this.departures.get(key)?.socketId === socketId) this.departures.delete(key);
  }

  leave(socketId: string): void {
    const page = this.pages.get(socketId);
    if (!page) return;
    this.pages.delete(socketId);
    const key = keyOf(page);
    this.departures.delete(key);
    this.departures.set(key, { at: performance.now(), socketId });
    const [oldest] = this.departures.keys();
    if (this.departures.size > MAX_DEPARTURES && oldest !== undefined) this.departures.delete(oldest);
  }

  /** Returns true if a client has a page of an image open. */
  isOpen(page: Page): boolean {
    return this.count(page) > 0;
  }

  /** Returns true if a client has had several pages of an image open at once in the last seconds. */
  hasSeveral(page: Page, seconds: number): boolean {
    const left = this.departures.get(keyOf(page))?.at ?? Number.NEGATIVE_INFINITY;
    const hasLeft = performance.now() - left < seconds * 1_000;
    return this.count(page) + (hasLeft ? 1 : 0) > 1;
  }

  private count(page: Page): number {
    const key = keyOf(page);
    let count = 0;
    for (const open of this.pages.values()) if (keyOf(open) === key) count++;
    return count;
  }
}

const keyOf = ({ imageId, client }: Page): string => `${imageId} ${client}`;
