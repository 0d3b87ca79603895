/**
 * The signs of life of a worker, for `WorkerLife` of web/io: browsers do not tell a page of a worker that closed itself
 * or was ended for want of memory.
 */
export const life = {
  /** Does nothing: the answer comes as soon as nothing else is computed. */
  ping: (): void => undefined,
  /** Takes a lock of this name to the worker's end. Resolves when it is held, or where the browser has no locks. */
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
