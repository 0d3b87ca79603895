import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";

/** Input of the doctor's checks. */
export interface Patient {
  db: Kysely<Schema>;
  files: Files;
  /** True to correct wrong counts. */
  fix: boolean;
  /** True to read every image's bytes, not only those whose size or time changed. */
  readAll: boolean;
}

/** A check, which yields each problem as one line. Changes nothing, except that it corrects counts with `fix`. */
export type Check = (patient: Patient) => AsyncGenerator<string>;
