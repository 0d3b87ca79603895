/** Returns the result of `promise`, or rejects with `late()` after `ms` milliseconds. The work itself continues. */
export async function withinTime<T>(ms: number, promise: PromiseLike<T>, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/** Returns true if `promise` resolves within `ms` milliseconds, false otherwise. Rejects as `promise` does. */
export async function endsWithin(ms: number, promise: PromiseLike<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([promise.then(() => true), limit]).finally(() => clearTimeout(timer));
}
