import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { badRequest, conflict } from "../../base/errors";
import { folderNameFor } from "../paths/datasetFolder";
import { type ListedFile, problemOfName, TOO_DEEP, UNFINISHED } from "../paths/listFiles";
import { checkLocation, MAX_DEPTH } from "../paths/safePath";
import { checkedEntry, type ImageStorage, isEntry, type TrashStorage } from "../storage/storage";
import type { Bucket } from "./bucket/bucket";
import type { LocalCopies } from "./localCopies";
import { type OpenBucket, openObject } from "./objects";
import { Turns } from "./turns";

/** Limit of S3. */
const MAX_KEY_BYTES = 1024;
const MAX_TRIES = 1000;
const DATASETS = "datasets/";
const TRASH = "trash/";
const REMOVED_AT_ONCE = 16;

/** Writers of a key take turns in this process, since not every server supports writing only to a free key. */
const turns = new Turns();

const keyOfImage = (folder: string, path: string): string => {
  checkLocation(folder, path);
  return `${DATASETS}${folder}/${path}`;
};

/** Returns the datasets' images: those of a dataset have the keys datasets/FOLDER/PATH. */
export function objectsOfImages(open: OpenBucket, keyLimit: number, copies: LocalCopies): ImageStorage {
  const newKey = (folder: string, path: string): string => {
    const key = keyOfImage(folder, path);
    if (Buffer.byteLength(key) > keyLimit) throw badRequest("The path is too long.");
    return key;
  };
  return {
    folders: async () => (await open()).folderNames(DATASETS),
    async makeFolder(datasetName, isTaken) {
      const plain = folderNameFor(datasetName);
      for (let number = 1; number <= MAX_TRIES; number++) {
        const folder = number === 1 ? plain : `${plain}-${number}`;
        if (!(await isTaken(folder))) return folder;
      }
      throw conflict("No folder could be created for a dataset of this name.");
    },
    async *listFiles(folder) {
      checkLocation(folder, "file");
      const prefix = `${DATASETS}${folder}/`;
      for await (const { key, bytes, modifiedMs } of (await open()).list(prefix))
        yield* listed(key.slice(prefix.length), bytes, modifiedMs);
    },
    state: async (folder, path) => {
      const key = keyOfImage(folder, path);
      const state = await (await open()).state(key);
      return state && { bytes: state.bytes, modifiedMs: state.modifiedMs };
    },
    open: async (folder, path) => {
      const key = keyOfImage(folder, path);
      return openObject(await open(), key);
    },
    local: async (folder, path, bytes) => {
      const key = keyOfImage(folder, path);
      return copies.make(await open(), key, bytes);
    },
    async store(folder, path, file, hash) {
      const key = newKey(folder, path);
      const bucket = await open();
      return turns.take(key, async () => {
        const isNew = !(await bucket.state(key)) && (await bucket.putFile(key, file, { ifFree: true }));
        if (!isNew) return (await hashOf(bucket, key)) === hash ? "same" : "different";
        await rm(file, { force: true });
        return "stored";
      });
    },
    async move(folder, from, to) {
      const source = keyOfImage(folder, from);
      const target = newKey(folder, to);
      const bucket = await open();
      return turns.take(target, async () => {
        const state = await bucket.state(source);
        if (!state) return "gone";
        const present = await bucket.state(target);
        // A killed process may have left both, with the same bytes.
        const isCopied = present?.bytes === state.bytes && present.tag === state.tag;
        if (present && !isCopied) return "taken";
        const copied = present ? "copied" : await bucket.copy(source, target, { ifFree: true });
        if (copied !== "copied") return copied;
        await bucket.remove(source);
        return "moved";
      });
    },
  };
}

/** Yields an object of a dataset as a file, as a scan of a folder would list it. */
function* listed(path: string, bytes: number, modifiedMs: number): Generator<ListedFile> {
  const segments = path.split("/");
  // Some programs create empty objects for folders.
  if (path.endsWith("/") || segments.some((name) => name.startsWith(".") || UNFINISHED.test(name))) return;
  const isUnusable = segments.includes("");
  const problem =
    problemOfName(path, path) ??
    (segments.length > MAX_DEPTH ? TOO_DEEP : isUnusable ? "its key has an empty folder name" : undefined);
  yield problem ? { path, problem } : { path, bytes, modifiedMs };
}

/** Returns the SHA-256 of an object's bytes; undefined if it does not exist. */
async function hashOf(bucket: Bucket, key: string): Promise<string | undefined> {
  const state = await bucket.state(key);
  if (!state) return undefined;
  const hash = createHash("sha256");
  await pipeline(await bucket.read(key, state), hash);
  return hash.digest("hex");
}

/** Returns the trash: the objects of an entry have the keys trash/ENTRY/PATH. */
export function objectsOfTrash(open: OpenBucket): TrashStorage {
  const folderOf = (entry: string) => `${TRASH}${checkedEntry(entry)}/`;
  return {
    async discard(entry, folder, path) {
      const source = keyOfImage(folder, path);
      const target = folderOf(entry) + path;
      const bucket = await open();
      return turns.take(source, async () => {
        if (!(await bucket.state(source))) return false;
        if ((await bucket.copy(source, target)) === "gone") return false;
        await bucket.remove(source);
        return true;
      });
    },
    async putBack(entry, folder, isWanted) {
      const from = folderOf(entry);
      const bucket = await open();
      for await (const { key } of bucket.list(from)) {
        const path = key.slice(from.length);
        if (!(await isWanted(path))) continue;
        const target = keyOfImage(folder, path);
        await turns.take(target, async () => {
          if (await bucket.state(target)) return;
          if ((await bucket.copy(key, target, { ifFree: true })) === "copied") await bucket.remove(key);
        });
      }
    },
    // A bucket has no folders.
    removeEmptyFolders: async () => undefined,
    async entries() {
      return (await (await open()).folders(TRASH)).filter(({ name }) => isEntry(name));
    },
    async remove(entry) {
      const bucket = await open();
      let batch: Promise<void>[] = [];
      for await (const { key } of bucket.list(folderOf(entry))) {
        batch.push(bucket.remove(key));
        if (batch.length < REMOVED_AT_ONCE) continue;
        await Promise.all(batch);
        batch = [];
      }
      await Promise.all(batch);
    },
  };
}

/** Returns the number of bytes that a key may have below a prefix. */
export const keyLimit = (prefix: string): number => MAX_KEY_BYTES - Buffer.byteLength(prefix);
