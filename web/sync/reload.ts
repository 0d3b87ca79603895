import { BackOff } from "../io/backOff";

export interface ReloadPorts<Scene> {
  /** Asks for the picture as the server has it. */
  load(): Promise<Scene>;
  /** From here on what the server answers must be remembered: the picture that comes may be older. */
  expect(): void;
  /** Puts the picture in place of what is there. */
  replace(scene: Scene): void;
  /** None comes: nothing need be remembered any more. */
  giveUp(): void;
  /** Whatever came of it, there may be news since. */
  after(): void;
}

/**
 * Loads the open picture again; one call at a time, and once more when somebody asked meanwhile: the call that was under
 * way may have been answered before what they want to see. A failed one is tried again while the picture is open.
 */
export class Reload<Scene> {
  private running: Promise<void> | undefined;
  private again = false;
  private closed = false;
  private readonly backOff = new BackOff(() => void this.now());

  constructor(private readonly ports: ReloadPorts<Scene>) {}

  /** Resolves when the picture is there that was asked for, or could not be loaded. */
  now(): Promise<void> {
    this.again = true;
    this.running ??= this.run();
    return this.running;
  }

  close(): void {
    this.closed = true;
    this.backOff.stop();
  }

  private async run(): Promise<void> {
    try {
      while (this.again && !this.closed) {
        // Answers come by the hundred: all that ask in one moment are served by one load.
        await undefined;
        this.again = false;
        await this.loadOnce();
      }
    } finally {
      this.running = undefined;
    }
    if (!this.closed) this.ports.after();
  }

  private async loadOnce(): Promise<void> {
    this.ports.expect();
    const scene = await this.ports.load().catch(() => undefined);
    if (this.closed) return;
    if (scene === undefined) {
      this.ports.giveUp();
      this.backOff.failed();
    } else {
      this.ports.replace(scene);
      this.backOff.succeeded();
    }
  }
}
