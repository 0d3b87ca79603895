/**
 * The same computation, one at a time and of those that wait only the newest: the others answer null. A failure is the
 * failing call's alone.
 */
export function newest<A, R>(compute: (asked: A) => Promise<R>): (asked: A) => Promise<R | null> {
  let isBusy = false;
  let waiting: { asked: A; resolve: (answer: Promise<R> | null) => void } | null = null;

  function next(): void {
    if (isBusy || !waiting) return;
    const { asked, resolve } = waiting;
    waiting = null;
    isBusy = true;
    const answer = compute(asked);
    const goOn = () => {
      isBusy = false;
      next();
    };
    resolve(answer);
    answer.then(goOn, goOn);
  }

  return (asked) =>
    new Promise((resolve) => {
      waiting?.resolve(null);
      waiting = { asked, resolve };
      next();
    });
}
