import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { log } from "../../base/log";
import { type OpenFile, openRegular } from "../paths/openImageFile";

/**
 * Images made once and kept, by name. Files come into being under another name, so that nobody reads half a one, and
 * several who ask for the same at once wait for one maker.
 */
export interface ViewCache {
  /** A JPEG small enough for the memory. It is kept after it is answered; where that fails, the next one is made again. */
  bytes(name: string, make: () => Promise<Buffer>): Promise<Buffer>;
  /** A large file, written by `make` to the path it gets. */
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
      .catch((err) => log.debug({ err }, "an image's view is not kept"))
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

/** Small files are not written through to the disk: after a power cut one may be there and empty. */
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

/** Runs the work of one name once at a time; who comes meanwhile gets the same result. */
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
