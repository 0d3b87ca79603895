/**
 * Functions with which `WorkerLife` of web/io detects the end of a worker: browsers do not notify a page if a worker
 * closes itself or is terminated for lack of memory.
 */
export const life = {
  /** Does nothing. The response arrives as soon as the worker has finished its current work. */
  ping: (): void => undefined,
  /** Holds a lock of this name until the worker ends. Resolves when it is held, or if the browser has no locks. */
  holdLock: (name: string): Promise<void> =>
    new Promise((resolve) => {
      // Absent outside secure contexts.
      if (!navigator.locks) return resolve();
      const hold = () => {
        resolve();
        return new Promise(() => undefined);
      };
      navigator.locks.request(name, hold).catch(() => resolve());
    }),
};
export type Life = typeof life;
