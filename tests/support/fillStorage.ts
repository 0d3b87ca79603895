import { expect, type Page } from "@playwright/test";

/**
 * Resolves when the browser refuses to store more. `leaveNoRoom` sets the quota; space that was free before may still
 * be used for half a minute.
 */
export async function fillStorage(page: Page, leaveNoRoom: () => Promise<unknown>): Promise<void> {
  await leaveNoRoom();
  const write = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open("scratch", 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore("scratch");
          opening.onerror = () => resolve(opening.error?.name ?? "");
          opening.onsuccess = () => {
            const writing = opening.result.transaction("scratch", "readwrite");
            writing.objectStore("scratch").put("x".repeat(1000), 1);
            writing.oncomplete = () => resolve("");
            writing.onabort = () => resolve(writing.error?.name ?? "");
          };
        }),
    );
  await expect.poll(write, { timeout: 120_000 }).toBe("QuotaExceededError");
}
