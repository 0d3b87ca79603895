interface RerunOptions {
  /** Serves all requests of one moment by one run, which begins just after them. */
  gathers?: boolean;
  /** Called when a run has ended and no further one was requested, unless stopped. */
  onIdle?: () => void;
}

/**
 * Runs `work` one at a time. A request during a run makes it run once more, however many requests there were: the run
 * under way may have read what they are about before it changed.
 */
export class Rerun {
  private running: Promise<void> | undefined;
  private requested = false;
  private stopped = false;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly options: RerunOptions = {},
  ) {}

  /** Resolves when a run that began after this request has ended and none is requested; rejects as `work` does. */
  request(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.requested = true;
    this.running ??= this.run();
    return this.running;
  }

  /** True if a further run was requested since the present one began. */
  get isRequested(): boolean {
    return this.requested;
  }

  /** Drops the requests of now: something else serves them. */
  drop(): void {
    this.requested = false;
  }

  /** Begins no further run. The present one goes on. */
  stop(): void {
    this.stopped = true;
  }

  /** Ends in the same moment in which it finds that no run is requested, so that no request is lost in between. */
  private async run(): Promise<void> {
    try {
      do {
        if (this.options.gathers) await undefined;
        if (this.stopped) break;
        this.requested = false;
        await this.work();
      } while (this.requested);
    } finally {
      this.running = undefined;
    }
    if (!this.stopped) this.options.onIdle?.();
  }
}
