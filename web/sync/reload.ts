import { Rerun } from "../../shared/async/rerun";
import { Retry } from "../../shared/async/retry";

export interface ReloadPorts<Scene> {
  /** Requests the image's current scene. */
  load(): Promise<Scene>;
  /** Starts recording acknowledgements, because the loaded scene may be older than them. */
  expect(): void;
  /** Replaces the displayed scene. */
  replace(scene: Scene): void;
  /** Stops recording after a failed load. */
  giveUp(): void;
  /** Called after success and failure, because changes may have arrived in the meantime. */
  after(): void;
}

/**
 * Loads the open image again. Makes one request at a time; a call during a request causes another request, because the
 * first response may be too old. A failed request is repeated while the image is open.
 */
export class Reload<Scene> {
  private closed = false;
  private readonly retry = new Retry(() => void this.now());
  private readonly rerun: Rerun;

  constructor(private readonly ports: ReloadPorts<Scene>) {
    // Hundreds of edits may be acknowledged at once: one load serves all calls of the same moment.
    this.rerun = new Rerun(() => this.loadOnce(), { gathers: true, onIdle: () => ports.after() });
  }

  /** Resolves when the image is loaded, or could not be loaded. */
  now(): Promise<void> {
    return this.rerun.request();
  }

  close(): void {
    this.closed = true;
    this.rerun.stop();
    this.retry.stop();
  }

  private async loadOnce(): Promise<void> {
    this.ports.expect();
    const scene = await this.ports.load().catch(() => undefined);
    if (this.closed) return;
    if (scene === undefined) {
      this.ports.giveUp();
      this.retry.failed();
    } else {
      this.ports.replace(scene);
      this.retry.succeeded();
    }
  }
}
