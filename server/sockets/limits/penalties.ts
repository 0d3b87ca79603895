const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;
/** After this long within the limits, penalties start again at the shortest. */
const FORGIVEN_AFTER_MS = 600_000;
const SWEEP_ABOVE = 1_000;

interface Penalty {
  /** End of the penalty. */
  until: number;
  lastMs: number;
}

/** Users whose sockets sent too much and are locked out for a while, each time twice as long as before. */
export class Penalties {
  private readonly penalties = new Map<string, Penalty>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Starts a penalty, unless one is running. Returns the seconds until it ends. */
  punish(user: string): number {
    const running = this.secondsLeft(user);
    if (running > 0) return running;
    if (this.penalties.size > SWEEP_ABOVE) this.sweep();
    const now = this.now();
    const before = this.penalties.get(user);
    const isRepeated = before !== undefined && now - before.until < FORGIVEN_AFTER_MS;
    const lastMs = isRepeated ? Math.min(before.lastMs * 2, LONGEST_MS) : FIRST_MS;
    this.penalties.set(user, { until: now + lastMs, lastMs });
    return lastMs / 1000;
  }

  /** Returns the seconds until the user may connect; 0 if there is no penalty. */
  secondsLeft(user: string): number {
    const penalty = this.penalties.get(user);
    return penalty ? Math.max(0, Math.ceil((penalty.until - this.now()) / 1000)) : 0;
  }

  private sweep(): void {
    for (const [user, { until }] of this.penalties)
      if (this.now() - until > FORGIVEN_AFTER_MS) this.penalties.delete(user);
  }
}
