import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "../../base/env";
import { makeFolder } from "../paths/datasetFolder";
import { listFiles } from "../paths/listFiles";
import { existingImageFile, fileState, openImageFile } from "../paths/openImageFile";
import { requireWritable } from "../paths/requireWritable";
import { locate } from "../paths/safePath";
import type { ImageStorage, Storage } from "../storage/storage";
import { moveStored } from "../store/moveStored";
import { storeImage } from "../store/storeImage";
import { folderOfFiles } from "./folderOfFiles";
import { folderOfTrash } from "./folderOfTrash";
import { folderOfViews } from "./folderOfViews";

/** Stores all files in folders: those of images in DATASETS_DIR, others in DATA_DIR. */
export function folderStorage({ DATA_DIR, DATASETS_DIR }: Pick<Env, "DATA_DIR" | "DATASETS_DIR">): Storage {
  return {
    images: folderOfImages(DATASETS_DIR),
    trash: folderOfTrash(DATASETS_DIR),
    views: folderOfViews(join(DATA_DIR, "cache", "pictures")),
    uploads: folderOfFiles(join(DATA_DIR, "uploads")),
    exports: folderOfFiles(join(DATA_DIR, "exports")),
    zips: folderOfFiles(join(DATA_DIR, "zips")),
    check: async () => requireWritable(DATASETS_DIR),
    // The data folder has a marker of its own: see server/db/dataFolder.
    claim: async () => undefined,
    release: async () => undefined,
    // Files appear by renaming temporary ones, which are tidied by themselves.
    tidy: async () => undefined,
  };
}

function folderOfImages(root: string): ImageStorage {
  return {
    async folders() {
      const entries = await readdir(root, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
    },
    makeFolder: (name, isTaken) => makeFolder(root, name, isTaken),
    listFiles: (folder) => listFiles(root, folder),
    state: async (folder, path) => fileState(locate(root, folder, path)),
    open: async (folder, path) => openImageFile(root, folder, path),
    async local(folder, path) {
      const file = await existingImageFile(root, folder, path);
      return file === undefined ? undefined : { path: file, release: async () => undefined };
    },
    store: (folder, path, file, hash) => storeImage({ root, folder, path, file, hash }),
    move: async (folder, from, to) => moveStored(root, folder, from, to),
  };
}
