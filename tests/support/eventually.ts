import { vi } from "vitest";
import { PATIENCE_MS } from "./patience";

/** Repeats a check until it no longer throws, and returns its result. Throws its last error if it never holds. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}
