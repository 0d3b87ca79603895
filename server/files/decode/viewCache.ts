import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { log } from "../../base/log";
import { type OpenFile, openRegular } from "../paths/openImageFile";

/**
 * Cache of rendered images by name. Files are written under a temporary name, so that no reader sees an incomplete
 * file. Concurrent requests for the same image share one rendering.
 */
export interface ViewCache {
  /**
   * Returns a JPEG small enough for memory and stores it in the background. If storing fails, the next request renders
   * it again.
   */
  bytes(name: string, make: () => Promise<Buffer>): Promise<Buffer>;
  /** Returns a large file, which `make` writes to the given path. */
  file(name: string, make: (to: string) => Promise<void>): Promise<OpenFile>;
}

/** Returns the path of an entry in a cache. */
export const placeInCache = (folder: string, name: string): string => join(folder, name.slice(0, 2), name);

export function makeViewCache(folder: string): ViewCache {
  const place = (name: string) => placeInCache(folder, name);
  const bytesOnce = once<Buffer>();
  const fileOnce = once<void>();
  const unkept = new Map<string, Buffer>();
  const keepSoon = (name: string, made: Buffer): Buffer => {
    unkept.set(name, made);
    keep(place(name), (to) => writeFile(to, made))
      .catch((err) => log.debug({ err }, "an image's view could not be cached"))
      .finally(() => unkept.delete(name));
    return made;
  };
  return {
    async bytes(name, make) {
      const kept = await readFile(place(name)).catch(() => undefined);
      if (kept && isWholeJpeg(kept)) return kept;
      return unkept.get(name) ?? bytesOnce(name, () => make().then((made) => keepSoon(name, made)));
    },
    async file(name, make) {
      const kept = await openRegular(place(name));
      if (kept) return kept;
      await fileOnce(name, () => keep(place(name), make, { flush: true }));
      const made = await openRegular(place(name));
      if (!made) throw new Error("The cache was emptied while it was written");
      return made;
    },
  };
}

/**
 * Returns true if the JPEG is complete. Small files are not flushed to disk, so after a power cut a file may be empty.
 */
function isWholeJpeg(bytes: Buffer): boolean {
  return bytes.length > 2 && bytes[bytes.length - 2] === 0xff && bytes[bytes.length - 1] === 0xd9;
}

async function keep(file: string, write: (to: string) => Promise<void>, { flush = false } = {}): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${randomUUID()}.part`);
  try {
    await write(draft);
    if (flush) await flushFile(draft);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
}

/** Returns a function that runs at most one `work` per name at a time; concurrent callers share its result. */
function once<T>() {
  const running = new Map<string, Promise<T>>();
  return (name: string, work: () => Promise<T>): Promise<T> => {
    const present = running.get(name);
    if (present) return present;
    const promise = work().finally(() => running.delete(name));
    running.set(name, promise);
    return promise;
  };
}
