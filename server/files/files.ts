import type { Env } from "../base/env";
import { folderStorage } from "./folder/folderStorage";
import { type ImageFiles, makeImageFiles } from "./imageFiles";
import type { Storage } from "./storage/storage";
import { makeTransfers, type Transfers } from "./transfers";
import { makeTrash, type Trash } from "./trash";

/** All files of an installation. Code outside server/files never handles paths of stored files. */
export interface Files {
  images: ImageFiles;
  transfers: Transfers;
  trash: Trash;
  check: Storage["check"];
  claim: Storage["claim"];
  release: Storage["release"];
}

export function makeFiles(env: Pick<Env, "DATA_DIR" | "DATASETS_DIR" | "MAX_UPLOAD_MB">): Files {
  const storage = folderStorage(env);
  return {
    images: makeImageFiles(storage, env),
    transfers: makeTransfers(storage, env),
    trash: makeTrash(storage),
    check: () => storage.check(),
    claim: (installation, how) => storage.claim(installation, how),
    release: () => storage.release(),
  };
}
