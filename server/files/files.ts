import type { Pictures } from "./pictures";
import type { Transfers } from "./transfers";

/** All files of an installation. Nothing outside server/files knows a path of a stored file. */
export interface Files {
  pictures: Pictures;
  transfers: Transfers;
}
