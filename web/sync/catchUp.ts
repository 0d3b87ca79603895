import type { Change } from "../../shared/edits/edit";
import { BackOff } from "../io/backOff";

/** What the catch-up call answers. */
export interface News {
  revision: number;
  reload: boolean;
  changes: Change[];
}

export interface CatchUpPorts {
  /** Asks what came after a revision. */
  ask(since: number): Promise<News>;
  /** The picture's revision up to which the document knows everything. */
  revision(): number;
  /** Takes over changes, and from now on knows everything up to `revision`. */
  apply(changes: readonly Change[], revision: number): void;
  /** The picture must be loaded again. */
  reload(): void;
}

/** How `catchUp` hears that there may be news: when the page is looked at again, and when the live connection is back. */
export interface Occasions {
  onFocus(listener: () => void): () => void;
  onReconnect(listener: () => void): () => void;
}

/** Brings an open picture up to date; one call at a time, and once more when somebody asked meanwhile. */
export class CatchUp {
  private running: Promise<void> | undefined;
  private again = false;
  private closed = false;
  private readonly stops: (() => void)[];
  private readonly backOff = new BackOff(() => void this.now());

  constructor(
    private readonly ports: CatchUpPorts,
    occasions: Occasions,
  ) {
    const now = () => void this.now();
    this.stops = [occasions.onFocus(now), occasions.onReconnect(now)];
  }

  /**
   * Resolves when the document is as new as the server's answer. A failed call changes nothing; it is tried again after
   * a while, or on the next occasion.
   */
  now(): Promise<void> {
    this.again = true;
    this.running ??= this.run();
    return this.running;
  }

  close(): void {
    this.closed = true;
    this.backOff.stop();
    for (const stop of this.stops) stop();
  }

  /** Ends in the same moment in which it finds that nobody has asked meanwhile. */
  private async run(): Promise<void> {
    try {
      do {
        this.again = false;
        const news = await this.ports.ask(this.ports.revision()).catch(() => undefined);
        if (this.closed) return;
        // Told of news meanwhile: the call may have been answered just before them.
        if (!news && this.again) continue;
        if (!news) return this.backOff.failed();
        this.backOff.succeeded();
        if (news.reload) return this.ports.reload();
        this.ports.apply(news.changes, news.revision);
      } while (this.again);
    } finally {
      this.running = undefined;
    }
  }
}
