import type { Env } from "../base/env";
import { makePictures, type Pictures } from "./pictures";
import { makeTransfers, type Transfers } from "./transfers";
import { makeTrash, type Trash } from "./trash";

/** All files of an installation. Nothing outside server/files knows a path of a stored file. */
export interface Files {
  pictures: Pictures;
  transfers: Transfers;
  trash: Trash;
}

export function makeFiles(env: Pick<Env, "DATA_DIR" | "DATASETS_DIR" | "MAX_UPLOAD_MB">): Files {
  return { pictures: makePictures(env), transfers: makeTransfers(env), trash: makeTrash(env) };
}
