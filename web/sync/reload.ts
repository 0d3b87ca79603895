import { Rerun } from "../../shared/async/rerun";
import { Retry } from "../../shared/async/retry";

export interface ReloadPorts<Scene> {
  /** Requests the image's current scene. */
  load(): Promise<Scene>;
  /** Starts recording acknowledgements, because the scene that comes may be older. */
  expect(): void;
  /** Replaces the scene that is shown. */
  replace(scene: Scene): void;
  /** Stops recording: no scene comes. */
  giveUp(): void;
  /** Called after success and failure: changes may have arrived meanwhile. */
  after(): void;
}

/**
 * Loads the open image again; one call at a time, and once more when somebody asked meanwhile: the call that was under
 * way may have been answered before what they want to see. A failed one is tried again while the image is open.
 */
export class Reload<Scene> {
  private closed = false;
  private readonly retry = new Retry(() => void this.now());
  private readonly rerun: Rerun;

  constructor(private readonly ports: ReloadPorts<Scene>) {
    // Edits are acknowledged by the hundred: all requests of one moment are served by one load.
    this.rerun = new Rerun(() => this.loadOnce(), { gathers: true, onIdle: () => ports.after() });
  }

  /** Resolves when the image is there that was asked for, or could not be loaded. */
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
