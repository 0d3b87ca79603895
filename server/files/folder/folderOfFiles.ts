import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../../base/errors";
import { fileState, openRegular } from "../paths/openImageFile";
import { checkedName, type NamedFiles, type StoredFile } from "../storage/storage";

const CHUNK_BYTES = 256 * 1024;

/** Returns the files of a folder. A file is written under another name first, flushed to disk, then renamed. */
export function folderOfFiles(folder: string): NamedFiles {
  const within = (name: string) => join(folder, checkedName(name));
  return {
    list: () => list(folder),
    state: async (name) => fileState(within(name)),
    open: async (name) => openRegular(within(name)),
    stream: (name) => createReadStream(within(name), { highWaterMark: CHUNK_BYTES }),
    async local(name) {
      const path = within(name);
      return (await fileState(path)) && { path, release: async () => undefined };
    },
    async keep(name, file) {
      await mkdir(folder, { recursive: true });
      await rename(file, within(name)).catch((error) => {
        if (codeOf(error) !== "EXDEV") throw error;
        return copyFile(file, within(name));
      });
    },
    async write(name, chunks) {
      await mkdir(folder, { recursive: true });
      const draft = within(`${name}.${randomUUID()}.part`);
      try {
        await pipeline(Readable.from(chunks), createWriteStream(draft, { flush: true }));
        const { size } = await stat(draft);
        await rename(draft, within(name));
        await syncFolder(folder);
        await removeDrafts(folder, name);
        return { bytes: size };
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    remove: (name) => rm(within(name), { force: true }),
  };
}

/** Removes incomplete files of interrupted attempts to write the same file. */
async function removeDrafts(folder: string, file: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${file}.`) && name.endsWith(".part")) await rm(join(folder, name), { force: true });
}

/** Flushes a folder, which makes new names durable. Some systems cannot open folders and do not need this. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function list(folder: string): Promise<StoredFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files: StoredFile[] = [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) files.push({ name, modifiedMs: found.mtimeMs });
  }
  return files;
}
