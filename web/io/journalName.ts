import { baseUrl } from "./url";

/** The name of the browser's database with a person's unsent work in this installation. */
export const journalName = (userId: number): string => `limn ${baseUrl().pathname} ${userId}`;

/** Whether there is one. Browsers that do not tell count as having one. */
export async function hasJournal(userId: number): Promise<boolean> {
  if (!("indexedDB" in globalThis) || !indexedDB.databases) return true;
  const databases = await indexedDB.databases().catch(() => undefined);
  return databases === undefined || databases.some(({ name }) => name === journalName(userId));
}
