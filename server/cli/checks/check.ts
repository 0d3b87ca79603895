import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";

/** Input of the doctor's checks. */
export interface Patient {
  db: Kysely<Schema>;
  files: Files;
  /** Set counts right. */
  fix: boolean;
  /** Read every image's bytes, not only those whose size or time changed. */
  readAll: boolean;
}

/** One kind of examination: tells each problem in a line. Changes nothing, but what `fix` names. */
export type Check = (patient: Patient) => AsyncGenerator<string>;

/** Rows a query, with nothing held between. */
export const PAGE = 1_000;
