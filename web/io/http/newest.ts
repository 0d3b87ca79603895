/**
 * Returns a function that runs `compute` for one call at a time. Of the waiting calls only the newest runs; the others
 * resolve to null. A failure rejects only its own call.
 */
export function newest<A, R>(compute: (argument: A) => Promise<R>): (argument: A) => Promise<R | null> {
  let isBusy = false;
  let waiting: { argument: A; resolve: (result: Promise<R> | null) => void } | null = null;

  function next(): void {
    if (isBusy || !waiting) return;
    const { argument, resolve } = waiting;
    waiting = null;
    isBusy = true;
    const result = compute(argument);
    const finish = () => {
      isBusy = false;
      next();
    };
    resolve(result);
    result.then(finish, finish);
  }

  return (argument) =>
    new Promise((resolve) => {
      waiting?.resolve(null);
      waiting = { argument, resolve };
      next();
    });
}
