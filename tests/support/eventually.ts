import { vi } from "vitest";

/** Time for a check to hold, in milliseconds: long enough for a busy machine. */
const PATIENCE_MS = 120_000;

/** Repeats a check until it no longer throws, and returns its result. Throws its last error if it never holds. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}
