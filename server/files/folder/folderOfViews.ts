import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openRegular } from "../paths/openImageFile";
import type { ViewStorage } from "../storage/storage";

/** Caches views in a folder. Files are written under a temporary name, so that no reader sees an incomplete file. */
export function folderOfViews(folder: string): ViewStorage {
  const place = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    read: (name) => readFile(place(name)).catch(() => undefined),
    open: (name) => openRegular(place(name)),
    async keep(name, write, { flush = false } = {}) {
      const file = place(name);
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
    },
    remove: (name) => rm(place(name), { force: true }),
  };
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
}
