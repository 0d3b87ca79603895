import { Rerun } from "../../shared/async/rerun";
import { Retry } from "../../shared/async/retry";
import type { Change } from "../../shared/edits/edit";

/** Response of the catch-up call. */
export interface News {
  revision: number;
  reload: boolean;
  changes: Change[];
}

export interface CatchUpPorts {
  /** Asks what came after a revision. */
  ask(since: number): Promise<News>;
  /** The image's revision up to which the document knows everything. */
  revision(): number;
  /** Takes over changes, and from now on knows everything up to `revision`. */
  apply(changes: readonly Change[], revision: number): void;
  /** The image must be loaded again. */
  reload(): void;
}

/** Occasions for `catchUp` to look for changes: the page is focused again, or the live connection is back. */
export interface Occasions {
  onFocus(listener: () => void): () => void;
  onReconnect(listener: () => void): () => void;
}

/** Brings an open image up to date; one call at a time, and once more when somebody asked meanwhile. */
export class CatchUp {
  private closed = false;
  private readonly stops: (() => void)[];
  private readonly retry = new Retry(() => void this.now());
  private readonly rerun = new Rerun(() => this.askOnce());

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
    return this.rerun.request();
  }

  close(): void {
    this.closed = true;
    this.rerun.stop();
    this.retry.stop();
    for (const stop of this.stops) stop();
  }

  private async askOnce(): Promise<void> {
    const news = await this.ports.ask(this.ports.revision()).catch(() => undefined);
    if (this.closed) return;
    // Told of news meanwhile: the call may have been answered just before them, and runs once more.
    if (!news && this.rerun.isRequested) return;
    if (!news) return this.retry.failed();
    this.retry.succeeded();
    if (!news.reload) return this.ports.apply(news.changes, news.revision);
    // The image that is loaded has all that was asked for meanwhile.
    this.rerun.drop();
    this.ports.reload();
  }
}
