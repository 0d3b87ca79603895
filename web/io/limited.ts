/**
 * A signal that aborts with the given one, or after so many milliseconds; to be stopped when nobody waits any more.
 * (`AbortSignal.any` is younger than our browsers.)
 */
export function limited(signal: AbortSignal, timeout: number): { signal: AbortSignal; stop: () => void } {
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(abort, timeout);
  const stop = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  };
  return { signal: own.signal, stop };
}
