import type { Page } from "@playwright/test";

/** Returns the number of rows in the IndexedDB object stores of that name, over all databases of the page's origin. */
export const countStored = (page: Page, objectStore: string): Promise<number> =>
  page.evaluate(async (objectStore) => {
    const counts = (await indexedDB.databases()).map(
      ({ name = "" }) =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => {
            const database = opening.result;
            const counting = database.objectStoreNames.contains(objectStore)
              ? database.transaction(objectStore).objectStore(objectStore).count()
              : undefined;
            if (counting) counting.onsuccess = () => resolve(counting.result);
            else resolve(0);
            database.close();
          };
        }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }, objectStore);
