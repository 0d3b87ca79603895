import type { Env } from "../base/env";
import { folderStorage } from "./folder/folderStorage";
import { type ImageFiles, makeImageFiles } from "./imageFiles";
import { s3Storage } from "./s3/s3Storage";
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
  tidy: Storage["tidy"];
}

export type FileSettings = Pick<Env, "DATA_DIR" | "DATASETS_DIR" | "MAX_UPLOAD_MB"> &
  Partial<Pick<Env, "STORAGE" | "S3_ENDPOINT" | "S3_REGION" | "S3_PATH_STYLE">>;

/** Returns the bucket that STORAGE names, otherwise the folders. */
export const storageOf = (env: FileSettings): Storage =>
  env.STORAGE ? s3Storage(env.STORAGE, env) : folderStorage(env);

/** Returns the files in the bucket that STORAGE names, otherwise in folders. Opens nothing. */
export function makeFiles(env: FileSettings): Files {
  const storage = storageOf(env);
  return {
    images: makeImageFiles(storage, env),
    transfers: makeTransfers(storage, env),
    trash: makeTrash(storage),
    check: () => storage.check(),
    claim: (installation, how) => storage.claim(installation, how),
    release: () => storage.release(),
    tidy: (minAgeMs) => storage.tidy(minAgeMs),
  };
}
