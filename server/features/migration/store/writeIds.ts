import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Kysely } from "kysely";
import type { Schema } from "../../../db/schema";
import { type Source, TABLES } from "./source";
import { NO_CATEGORY } from "./storeCategories";

const PAGE = 5_000;

/**
 * Writes a CSV file with the old and new ids of all objects of an installation, if any object got another id. Users are
 * in the file too, since their old ids are never kept. Returns false if nothing was written.
 */
export async function writeIds(db: Kysely<Schema>, source: Source, path: string): Promise<boolean> {
  const collections = Object.keys(TABLES);
  const changed = await db
    .selectFrom("migrated_rows")
    .select("old_id")
    .where("source", "=", source.id)
    .where("collection", "in", collections)
    .where("old_id", "<>", NO_CATEGORY)
    .where((eb) => eb("old_id", "<>", eb.cast<string>("new_id", "text")))
    .limit(1)
    .executeTakeFirst();
  if (!changed) return false;
  await pipeline(Readable.from(lines(db, source, [...collections, "user_model"])), createWriteStream(path));
  return true;
}

async function* lines(db: Kysely<Schema>, source: Source, collections: string[]): AsyncGenerator<string> {
  yield "collection,old_id,new_id\n";
  for (const collection of collections.sort()) {
    for (let last = ""; ; ) {
      const rows = await db
        .selectFrom("migrated_rows")
        .select(["old_id", "new_id"])
        .where("source", "=", source.id)
        .where("collection", "=", collection)
        .where("old_id", ">", last)
        .orderBy("old_id")
        .limit(PAGE)
        .execute();
      if (rows.length > 0)
        yield rows.map(({ old_id, new_id }) => `${collection},${quoted(old_id)},${new_id}\n`).join("");
      if (rows.length < PAGE) break;
      last = rows.at(-1)?.old_id ?? last;
    }
  }
}

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
