import { Rerun } from "../../shared/async/rerun";
import { Retry } from "../../shared/async/retry";
import type { Change } from "../../shared/edits/edit";

/** Response of the catch-up call. */
export interface CatchUpResponse {
  revision: number;
  reload: boolean;
  changes: Change[];
}

export interface CatchUpPorts {
  /** Requests the changes after a revision. */
  request(since: number): Promise<CatchUpResponse>;
  /** Returns the image's revision up to which the document is complete. */
  revision(): number;
  /** Applies changes; the document is then complete up to `revision`. */
  apply(changes: readonly Change[], revision: number): void;
  /** Called when the image must be loaded again. */
  reload(): void;
}

/** Events that trigger a catch-up: the page gains focus, or the live connection is restored. */
export interface Occasions {
  onFocus(listener: () => void): () => void;
  onReconnect(listener: () => void): () => void;
}

/** Brings an open image up to date. Makes one request at a time; a request during another one causes one more. */
export class CatchUp {
  private closed = false;
  private readonly stops: (() => void)[];
  private readonly retry = new Retry(() => void this.now());
  private readonly rerun = new Rerun(() => this.requestOnce());

  constructor(
    private readonly ports: CatchUpPorts,
    occasions: Occasions,
  ) {
    const now = () => void this.now();
    this.stops = [occasions.onFocus(now), occasions.onReconnect(now)];
  }

  /**
   * Resolves when the document is as new as the server's response. A failed request changes nothing and is repeated
   * after a while, or on the next event.
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

  private async requestOnce(): Promise<void> {
    const since = this.ports.revision();
    const response = await this.ports.request(since).catch(() => undefined);
    if (this.closed) return;
    // Another request was made in the meantime, so the catch-up runs again at once, without a pause.
    if (!response && this.rerun.isRequested) return;
    if (!response) return this.retry.failed();
    this.retry.succeeded();
    // The image was loaded again in the meantime and may have these changes already.
    if (this.ports.revision() !== since) return void this.rerun.request();
    if (!response.reload) return this.ports.apply(response.changes, response.revision);
    // The reload covers all requests made in the meantime.
    this.rerun.drop();
    this.ports.reload();
  }
}
