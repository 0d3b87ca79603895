import Dexie from "dexie";
import type { Owner } from "../../io/journal/journalName";
import { forget, remember, rememberedKeys } from "../../io/storage/localStore";
import { copyName, isOlderCopy } from "./copyStore";

const KEY = "copy ";

/**
 * Deletes the copies that a user made of another installation at this address. Remembers this user's copy for browsers
 * that cannot list their databases.
 */
export async function deleteOlderCopies(owner: Owner): Promise<void> {
  remember(KEY + copyName(owner), true);
  const noted = rememberedKeys(KEY).map((key) => key.slice(KEY.length));
  const listed = (await globalThis.indexedDB?.databases?.().catch(() => [])) ?? [];
  const names = new Set([...noted, ...listed.flatMap(({ name }) => name ?? [])]);
  for (const name of names) {
    if (!isOlderCopy(name, owner)) continue;
    await Dexie.delete(name);
    forget(KEY + name);
  }
}
