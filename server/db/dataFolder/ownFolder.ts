import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { ConfigurationError } from "../../base/errors";
import { readInstallation } from "../installation";
import type { Schema } from "../schema";
import { readMarker, writeMarker } from "./marker";

/** The folders of an installation, and the kind of its database. An embedded database is inside the data folder. */
export interface OwnFolders {
  DATA_DIR: string;
  DATASETS_DIR?: string | undefined;
  STORAGE?: string | undefined;
  kind: "embedded" | "server";
}

/**
 * Checks that the data folder belongs to the database, and marks the folder if it has no marker yet, because the
 * database is new or older than markers. Throws ConfigurationError if the folder belongs to another database.
 */
export async function claimFolder(db: Kysely<Schema>, folders: OwnFolders): Promise<void> {
  const state = await examine(db, folders);
  if (!state.isMarked && state.marker === undefined) await requireDatasets(db, folders);
  if (!state.isMarked || state.marker === undefined) await mark(db, folders.DATA_DIR, state.id);
}

/** Checks like `claimFolder`, but writes nothing and accepts a folder without a marker. */
export async function checkFolder(db: Kysely<Schema>, folders: OwnFolders): Promise<void> {
  await examine(db, folders);
}

/** Marks the folder as the database's, even if it belonged to another. */
export async function adoptFolder(db: Kysely<Schema>, dataFolder: string): Promise<void> {
  await mark(db, dataFolder, (await readInstallation(db)).id);
}

async function examine(db: Kysely<Schema>, { DATA_DIR, STORAGE, kind }: OwnFolders) {
  const { id } = await readInstallation(db);
  // The note (in data_folder_marks) is read before the marker, but written after it, so that several processes may
  // start at once.
  const isMarked = await hasNote(db, id);
  const marker = readMarker(DATA_DIR);
  if (marker !== undefined && marker !== id) throw foreign(DATA_DIR, "belongs to another database");
  // With STORAGE, each machine has a data folder of its own, and the bucket has a marker.
  if (marker === undefined && isMarked && kind === "server" && !STORAGE)
    throw foreign(DATA_DIR, "is not that of the database at DATABASE_URL: its installation.json is missing");
  return { id, isMarked, marker };
}

/** Writes the marker before the note, so that a process that reads the note also finds the marker. */
async function mark(db: Kysely<Schema>, dataFolder: string, id: string): Promise<void> {
  writeMarker(dataFolder, id);
  await sql`insert into data_folder_marks values (${id}) on conflict do nothing`.execute(db);
}

async function hasNote(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { rows } = await sql`select from data_folder_marks where installation = ${id}`.execute(db);
  return rows.length > 0;
}

/**
 * Throws if none of the datasets' folders exists: at the first start after an update only this reveals a foreign
 * folder.
 */
async function requireDatasets(
  db: Kysely<Schema>,
  { DATA_DIR, DATASETS_DIR, STORAGE, kind }: OwnFolders,
): Promise<void> {
  if (kind === "embedded" || !DATASETS_DIR || STORAGE) return;
  const datasets = await db.selectFrom("datasets").select("folder").where("deleted_at", "is", null).execute();
  if (datasets.length === 0 || datasets.some(({ folder }) => existsSync(join(DATASETS_DIR, folder)))) return;
  throw foreign(
    DATA_DIR,
    `is not that of the database: none of its ${datasets.length} dataset(s) is in ${DATASETS_DIR}`,
  );
}

function foreign(dataFolder: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `The data folder ${dataFolder} ${why}. Set DATA_DIR to the database's own folder (is its disk mounted?). ` +
      "To use this folder from now on: npm run adopt",
  );
}
