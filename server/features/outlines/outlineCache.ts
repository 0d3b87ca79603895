import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";

/** The JSON of an image's outlines, and the version of the image for which they were computed. */
interface Entry {
  version: string;
  json: string;
}

/** Maximum number of characters that are cached for a database. */
const MAX_CHARACTERS = 8_000_000;

/** Cache of outlines by image, the most recently used last. Does not return outlines of another version of an image. */
class OutlineCache {
  private readonly entries = new Map<number, Entry>();
  private characters = 0;

  get(imageId: number, version: string): string | undefined {
    const entry = this.entries.get(imageId);
    if (entry?.version !== version) return undefined;
    this.entries.delete(imageId);
    this.entries.set(imageId, entry);
    return entry.json;
  }

  set(imageId: number, entry: Entry): void {
    this.remove(imageId);
    this.entries.set(imageId, entry);
    this.characters += entry.json.length;
    for (const id of this.entries.keys()) {
      if (this.characters <= MAX_CHARACTERS) return;
      this.remove(id);
    }
  }

  private remove(imageId: number): void {
    this.characters -= this.entries.get(imageId)?.json.length ?? 0;
    this.entries.delete(imageId);
  }
}

const caches = new WeakMap<Kysely<Schema>, OutlineCache>();

/** Returns the cache of outlines for a database. */
export function outlineCache(db: Kysely<Schema>): OutlineCache {
  const cache = caches.get(db) ?? new OutlineCache();
  caches.set(db, cache);
  return cache;
}
