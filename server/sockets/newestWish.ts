/** Waits for a turn, then does the work. Rejects as the work does. */
type Turn = (work: () => Promise<void>) => Promise<void>;

/**
 * Checks the newest wish of a socket, one at a time. A wish that a newer one supersedes before its turn costs nothing;
 * `check` is told by `isNewest` whether its wish still stands. It must not reject.
 */
export class NewestWish<W extends object> {
  private wish: W | undefined;
  private isChecking = false;

  constructor(
    private readonly turn: Turn,
    private readonly check: (wish: W, isNewest: () => boolean) => Promise<void>,
  ) {}

  /** Undefined withdraws. */
  want(wish: W | undefined): void {
    this.wish = wish;
    if (wish && !this.isChecking) void this.checkAll();
  }

  private async checkAll(): Promise<void> {
    this.isChecking = true;
    let checked: W | undefined;
    while (this.wish && this.wish !== checked)
      await this.turn(async () => {
        const wish = this.wish;
        checked = wish;
        if (wish) await this.check(wish, () => this.wish === wish);
      });
    this.isChecking = false;
  }
}
