/**
 * Runs at most `atOnce` pieces of work at a time, so that sockets leave database connections to the calls. Keys (users)
 * take turns: a busy user delays each of the others by at most one piece of work.
 */
export class FairGate<K> {
  private running = 0;
  private readonly waiting = new Map<K, (() => void)[]>();

  constructor(private readonly atOnce: number) {}

  /** Runs `work` when there is room, and returns its result. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    await this.enter(key);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(key: K): Promise<void> | undefined {
    if (this.running < this.atOnce) {
      this.running += 1;
      return undefined;
    }
    return new Promise((proceed) => {
      const line = this.waiting.get(key);
      if (line) line.push(proceed);
      else this.waiting.set(key, [proceed]);
    });
  }

  /** Passes the place to the key whose turn is next. */
  private leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.running -= 1;
      return;
    }
    const [key, line] = next;
    const proceed = line.shift();
    this.waiting.delete(key);
    if (line.length > 0) this.waiting.set(key, line);
    proceed?.();
  }
}
