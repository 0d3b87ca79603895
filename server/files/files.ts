import type { Env } from "../env";
import { makePictures, type Pictures } from "./pictures";
import { makeTransfers, type Transfers } from "./transfers";

/** All files of an installation. Nothing outside server/files knows a path of a stored file. */
export interface Files {
  pictures: Pictures;
  transfers: Transfers;
}

export function makeFiles(env: Pick<Env, "DATA_DIR" | "DATASETS_DIR" | "MAX_UPLOAD_MB">): Files {
  return { pictures: makePictures(env), transfers: makeTransfers(env) };
}
