/**
 * Runs the work in one tab at a time where the browser has Web Locks; else (plain http) at once: the server answers a
 * second sending of the same edit with the first answer, so that two tabs do no harm, only work twice.
 */
export function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator === "undefined" || !navigator.locks) return work();
  return navigator.locks.request(`push ${name}`, work) as Promise<T>;
}
