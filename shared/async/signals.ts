/** A signal that follows others. Call `stop` when the signal is no longer needed, to remove its listeners. */
export interface FollowingSignal {
  signal: AbortSignal;
  stop: () => void;
}

/**
 * Returns a signal that aborts as soon as one of `signals` does, with the same reason. Replaces `AbortSignal.any`: see
 * decision 34.
 */
export function anySignal(signals: readonly (AbortSignal | undefined)[]): FollowingSignal {
  const own = new AbortController();
  const stops = signals.map((signal) => {
    const abort = () => own.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    return () => signal?.removeEventListener("abort", abort);
  });
  return { signal: own.signal, stop: () => void stops.map((stop) => stop()) };
}

/** Returns a signal that aborts with the given one, or after `ms` milliseconds. */
export function limitedSignal(signal: AbortSignal | undefined, ms: number): FollowingSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  const either = anySignal([signal, limit.signal]);
  const stop = () => {
    clearTimeout(timer);
    either.stop();
  };
  return { signal: either.signal, stop };
}
