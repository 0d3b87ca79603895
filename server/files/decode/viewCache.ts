import { writeFile } from "node:fs/promises";
import { log } from "../../base/log";
import type { OpenFile } from "../paths/openImageFile";
import type { ViewStorage } from "../storage/storage";

/** Cache of rendered images by name. Concurrent requests for the same image share one rendering. */
export interface ViewCache {
  /**
   * Returns a JPEG small enough for memory and stores it in the background. If storing fails, the next request renders
   * it again.
   */
  bytes(name: string, make: () => Promise<Buffer>): Promise<Buffer>;
  /** Returns a large file, which `make` writes to the given path. */
  file(name: string, make: (to: string) => Promise<void>): Promise<OpenFile>;
}

export function makeViewCache(views: ViewStorage): ViewCache {
  const bytesOnce = once<Buffer>();
  const fileOnce = once<void>();
  const unkept = new Map<string, Buffer>();
  const keepSoon = (name: string, made: Buffer): Buffer => {
    unkept.set(name, made);
    views
      .keep(name, (to) => writeFile(to, made))
      .catch((err) => log.debug({ err }, "an image's view could not be cached"))
      .finally(() => unkept.delete(name));
    return made;
  };
  return {
    async bytes(name, make) {
      const kept = await views.read(name);
      if (kept && isWholeJpeg(kept)) return kept;
      return unkept.get(name) ?? bytesOnce(name, () => make().then((made) => keepSoon(name, made)));
    },
    async file(name, make) {
      const kept = await views.open(name);
      if (kept) return kept;
      await fileOnce(name, () => views.keep(name, make, { flush: true }));
      const made = await views.open(name);
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
