/** Runs asynchronous work one piece at a time, in the order in which it was added. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Returns the result of `work`, which begins when all earlier work has ended. A failure rejects only this result. */
  add<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all work that was added so far has ended, failed or not. */
  async settled(): Promise<void> {
    await this.last;
  }
}
