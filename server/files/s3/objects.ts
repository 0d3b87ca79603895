import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { OpenFile } from "../paths/openImageFile";
import type { TemporaryFiles } from "../paths/temporaryFiles";
import { checkedName, type NamedFiles, type ViewStorage } from "../storage/storage";
import type { Bucket } from "./bucket/bucket";
import type { LocalCopies } from "./localCopies";

/** Returns the bucket, which is opened at the first use. */
export type OpenBucket = () => Promise<Bucket>;

/** Returns an object for reading; undefined if it does not exist. Nothing is open until it is streamed. */
export async function openObject(bucket: Bucket, key: string): Promise<OpenFile | undefined> {
  const state = await bucket.state(key);
  if (!state) return undefined;
  const { bytes, modifiedMs } = state;
  return {
    bytes,
    modifiedMs,
    stream: (start, end) => bucket.read(key, state, start, end),
    close: async () => undefined,
  };
}

/** Returns the files below a key that ends with a slash. */
export function objectsByName(open: OpenBucket, folder: string, copies: LocalCopies): NamedFiles {
  const keyOf = (name: string) => folder + checkedName(name);
  return {
    async list() {
      const files = [];
      for await (const { key, modifiedMs } of (await open()).list(folder))
        files.push({ name: key.slice(folder.length), modifiedMs });
      return files;
    },
    state: async (name) => (await open()).state(keyOf(name)),
    open: async (name) => openObject(await open(), keyOf(name)),
    stream: (name) => Readable.from(contentOf(open, keyOf(name)), { objectMode: false }),
    local: async (name) => copies.make(await open(), keyOf(name)),
    async keep(name, file) {
      await (await open()).putFile(keyOf(name), file);
      await rm(file, { force: true });
    },
    async write(name, chunks) {
      let bytes = 0;
      async function* counted() {
        for await (const chunk of chunks) {
          const piece = Buffer.from(chunk);
          bytes += piece.length;
          yield piece;
        }
      }
      await (await open()).putStream(keyOf(name), Readable.from(counted(), { objectMode: false }));
      return { bytes };
    },
    remove: async (name) => (await open()).remove(keyOf(name)),
  };
}

async function* contentOf(open: OpenBucket, key: string): AsyncGenerator<Buffer> {
  const file = await openObject(await open(), key);
  if (!file) throw new Error("The file no longer exists");
  yield* await file.stream();
}

/** Returns the views below a key that ends with a slash. */
export function objectsOfViews(open: OpenBucket, folder: string, temporary: TemporaryFiles): ViewStorage {
  const keyOf = (name: string) => `${folder}${name.slice(0, 2)}/${name}`;
  const openView = async (name: string) => openObject(await open(), keyOf(name));
  return {
    read: async (name) => (await open()).readWhole(keyOf(name)).catch(() => undefined),
    open: openView,
    async keep(name, write) {
      const file = await temporary.make();
      try {
        await write(file);
        await (await open()).putFile(keyOf(name), file);
      } finally {
        await temporary.remove(file);
      }
    },
    remove: async (name) => (await open()).remove(keyOf(name)),
  };
}
