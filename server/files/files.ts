import type { Env } from "../base/env";
import { type ImageFiles, makeImageFiles } from "./imageFiles";
import { makeTransfers, type Transfers } from "./transfers";
import { makeTrash, type Trash } from "./trash";

/** All files of an installation. Code outside server/files never handles paths of stored files. */
export interface Files {
  images: ImageFiles;
  transfers: Transfers;
  trash: Trash;
}

export function makeFiles(env: Pick<Env, "DATA_DIR" | "DATASETS_DIR" | "MAX_UPLOAD_MB">): Files {
  return { images: makeImageFiles(env), transfers: makeTransfers(env), trash: makeTrash(env) };
}
