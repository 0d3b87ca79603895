import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { createGunzip } from "node:zlib";
import { ConfigurationError } from "../../../base/errors";
import { DumpError, readBson } from "./readBson";

/** The collections of COCO Annotator that have content to migrate. */
export const COLLECTIONS = [
  "user_model",
  "category_model",
  "dataset_model",
  "image_model",
  "annotation_model",
  "export_model",
  "license_model",
] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** Collections that need not be migrated, with the reason, which ends a sentence about a document. */
export const IGNORED: Record<string, string> = {
  task_model: "is a task of the past, which has no meaning in Limn",
  "mongoengine.counters": "is a counter, which was only read",
  celery_taskmeta: "is a result of the old task queue",
  celery_groupmeta: "is a result of the old task queue",
};

/** Databases that belong to MongoDB itself. */
const OF_MONGODB = new Set(["admin", "config", "local"]);
const FILE = /^(.+)\.bson(\.gz)?$/;
/** First bytes of a file that `mongodump --archive` wrote. */
const ARCHIVE = 0x8199e26d;
const ARCHIVES =
  "Files of mongodump --archive are not supported. Dump into a folder: mongodump --db=flask --out=FOLDER";

/** The folder of one database that mongodump wrote. */
export interface Dump {
  database: string;
  folder: string;
  /** Names of all collections. */
  collections: string[];
  /** Yields the documents of a collection as BSON; nothing if the dump lacks it. Throws a DumpError. */
  documents(collection: string): AsyncGenerator<Uint8Array>;
}

/**
 * Opens a dump: the folder of a database, or the folder around it. Throws ConfigurationError if it has no database of
 * COCO Annotator, or several and `database` names none of them.
 */
export async function openDump(path: string, database?: string): Promise<Dump> {
  const root = resolve(path);
  const state = await stat(root).catch(() => undefined);
  if (!state) throw new ConfigurationError(`${path} does not exist.`);
  if (!state.isDirectory()) {
    if (await isArchive(root)) throw new ConfigurationError(ARCHIVES);
    throw new ConfigurationError(`${path} is not a folder. Give the folder that mongodump wrote.`);
  }
  const found = [...(await databasesIn(root))].filter(({ files }) => isOurs(files));
  const wanted = database === undefined ? found : found.filter(({ name }) => name === database);
  const [only, ...others] = wanted;
  if (others.length > 0)
    throw new ConfigurationError(
      `${path} has several databases: ${found.map(({ name }) => name).join(", ")}. Add --database=NAME.`,
    );
  if (only) return dumpOf(only);
  const names = found.map(({ name }) => name).join(", ");
  if (database !== undefined && names)
    throw new ConfigurationError(`${path} has no database ${database}, but ${names}.`);
  for (const name of await readdir(root))
    if (await isArchive(join(root, name))) throw new ConfigurationError(`${name}: ${ARCHIVES}`);
  throw new ConfigurationError(
    `${path} has no database of COCO Annotator: no file such as image_model.bson or image_model.bson.gz, nor in a folder inside it.`,
  );
}

interface Found {
  name: string;
  folder: string;
  /** File names by collection. */
  files: Map<string, string>;
}

const isOurs = (files: Found["files"]) => COLLECTIONS.some((name) => files.has(name));

/** Returns the database in the folder itself, or else those in the folders below it, two deep. */
async function databasesIn(folder: string, depth = 0): Promise<Found[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = new Map<string, string>();
  for (const { name } of entries.sort((a, b) => (a.name < b.name ? 1 : -1))) {
    const [, collection] = FILE.exec(name) ?? [];
    if (collection) files.set(decoded(collection), name);
  }
  if (isOurs(files)) return [{ name: basename(folder), folder, files }];
  if (depth === 2) return [];
  const inner: Found[] = [];
  for (const entry of entries)
    if (!entry.isFile() && !OF_MONGODB.has(entry.name) && (await isFolder(join(folder, entry.name))))
      inner.push(...(await databasesIn(join(folder, entry.name), depth + 1)));
  return inner;
}

const isFolder = (path: string) =>
  stat(path).then(
    (state) => state.isDirectory(),
    () => false,
  );

/** mongodump writes characters that file systems do not allow as %XX. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function isArchive(path: string): Promise<boolean> {
  const first: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: 3 })) first.push(chunk);
  } catch {
    return false;
  }
  const head = Buffer.concat(first);
  // A compressed archive does not show its magic number, but mongodump never compresses another single file.
  return head.length === 4 && (head.readUInt32LE(0) === ARCHIVE || /\.archive(\.gz)?$/.test(path));
}

function dumpOf({ name, folder, files }: Found): Dump {
  return {
    database: name,
    folder,
    collections: [...files.keys()].sort(),
    async *documents(collection) {
      const file = files.get(collection);
      if (file === undefined) return;
      yield* readBson(file.endsWith(".gz") ? unpacked(folder, file) : plain(join(folder, file)), file);
    },
  };
}

const CHUNK_BYTES = 1 << 20;

const plain = (path: string): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: CHUNK_BYTES });

async function* unpacked(folder: string, file: string): AsyncGenerator<Buffer> {
  const source = plain(join(folder, file)) as ReturnType<typeof createReadStream>;
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  source.on("error", (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR") throw new DumpError(`${file} is cut off: its compressed data ends too early.`);
    if (code.startsWith("Z_")) throw new DumpError(`${file} is damaged: its compressed data cannot be read.`);
    throw error;
  } finally {
    source.destroy();
  }
}
