/**
 * Runs the work in one tab at a time if the browser has Web Locks; otherwise (plain http) at once. Two tabs then do the
 * work twice, which is harmless: the server responds to a repeated edit with its first response.
 */
export function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator === "undefined" || !navigator.locks) return work();
  return navigator.locks.request(`push ${name}`, work) as Promise<T>;
}
