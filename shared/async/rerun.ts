interface RerunOptions {
  /** Serves all requests made in the same tick with one run, which begins right after them. */
  gathers?: boolean;
  /** Called when a run has ended and no further one was requested, unless stopped. */
  onIdle?: () => void;
}

/**
 * Runs `work` one at a time. Any number of requests during a run cause one further run, since the current run may have
 * read its data before the change that caused the request.
 */
export class Rerun {
  private running: Promise<void> | undefined;
  private requested = false;
  private stopped = false;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly options: RerunOptions = {},
  ) {}

  /**
   * Resolves when a run that began after this request has ended and no further one is requested; rejects as `work`
   * does.
   */
  request(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.requested = true;
    this.running ??= this.run();
    return this.running;
  }

  /** True if a further run was requested since the current one began. */
  get isRequested(): boolean {
    return this.requested;
  }

  /** Drops the current requests, for callers that serve them in another way. */
  drop(): void {
    this.requested = false;
  }

  /** Prevents further runs. The current one continues. */
  stop(): void {
    this.stopped = true;
  }

  /** Runs until no run is requested. Ends in the same tick as the last check, so that no request is lost in between. */
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
