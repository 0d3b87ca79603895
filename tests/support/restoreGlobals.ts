import { afterAll, vi } from "vitest";

/**
 * Restores everything that a test file replaced, because the next file of the same worker shares its modules and
 * globals.
 */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  if (typeof window !== "undefined") clearPage();
});

/** Empties the storage and the document of jsdom, which files with a DOM share as well. */
function clearPage(): void {
  localStorage.clear();
  sessionStorage.clear();
  document.head.replaceChildren();
  document.body.replaceChildren();
}
