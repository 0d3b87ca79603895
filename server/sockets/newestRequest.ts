/** Runs the work when its turn comes. Rejects if the work does. */
type Turn = (work: () => Promise<void>) => Promise<void>;

/**
 * Checks the newest request of a socket, one at a time. A request that is replaced before its turn is not checked.
 * `check` calls `isNewest` to learn whether its request was replaced in the meantime; `check` must not reject.
 */
export class NewestRequest<R extends object> {
  private newest: R | undefined;
  private isChecking = false;

  constructor(
    private readonly turn: Turn,
    private readonly check: (request: R, isNewest: () => boolean) => Promise<void>,
  ) {}

  /** Replaces the request; `undefined` withdraws it. */
  request(request: R | undefined): void {
    this.newest = request;
    if (request && !this.isChecking) void this.checkAll();
  }

  private async checkAll(): Promise<void> {
    this.isChecking = true;
    let checked: R | undefined;
    while (this.newest && this.newest !== checked)
      await this.turn(async () => {
        const request = this.newest;
        checked = request;
        if (request) await this.check(request, () => this.newest === request);
      });
    this.isChecking = false;
  }
}
