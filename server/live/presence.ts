/** Somebody who has a picture open in one tab. */
export interface Present {
  imageId: number;
  datasetId: number;
  username: string;
}

/** What a process tells the others: all that it knows itself. */
export interface PresenceReport {
  process: string;
  people: Present[];
}

/** A process that has not reported for so long is gone, and nobody is there by its word. */
const FORGET_AFTER_MS = 20_000;

/**
 * Who has which picture open. Nothing of it is stored: a process knows its own sockets, and hears of those of the other
 * processes from their reports.
 */
export class Presence {
  private readonly here = new Map<string, Present>();
  private readonly listeners = new Set<() => void>();
  private readonly elsewhere = new Map<string, { until: number; people: Present[] }>();

  /** Of one socket, by its id. True where nobody of this name was at the picture before. */
  enter(socketId: string, present: Present): boolean {
    const isNew = !this.names(present.imageId).includes(present.username);
    this.here.set(socketId, present);
    this.changed();
    return isNew;
  }

  /** Answers what the socket had open, where nobody of its name is there any more. */
  leave(socketId: string): Present | undefined {
    const present = this.here.get(socketId);
    if (!this.here.delete(socketId)) return undefined;
    this.changed();
    if (!present || this.names(present.imageId).includes(present.username)) return undefined;
    return present;
  }

  /** Each name once, in the order of their coming. */
  names(imageId: number): string[] {
    const now = Date.now();
    const names = new Set<string>();
    const add = (people: Iterable<Present>) => {
      for (const present of people) if (present.imageId === imageId) names.add(present.username);
    };
    add(this.here.values());
    for (const { until, people } of this.elsewhere.values()) if (until > now) add(people);
    return [...names];
  }

  /** When somebody comes or goes here. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  report(process: string): PresenceReport {
    return { process, people: [...this.here.values()] };
  }

  hear({ process, people }: PresenceReport): void {
    const now = Date.now();
    for (const [name, { until }] of this.elsewhere) if (until < now) this.elsewhere.delete(name);
    this.elsewhere.set(process, { until: now + FORGET_AFTER_MS, people });
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
