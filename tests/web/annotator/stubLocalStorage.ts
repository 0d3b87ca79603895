import { afterEach, beforeEach, vi } from "vitest";

/** Gives the tests of a file, which have no browser, a `localStorage` that is empty at the start of each. */
export function stubLocalStorage(): void {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());
}
