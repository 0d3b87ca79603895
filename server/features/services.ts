import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Env } from "../base/env";
import type { Schema } from "../db/schema";
import type { Files } from "../files/files";
import type { Live } from "../live/live";
import type { Dextr } from "../onnx/dextr";
import type { Readiness } from "./health/readiness";

/** The services that routes and features may use. serve.ts creates them. */
export interface Services {
  env: Env;
  db: Kysely<Schema>;
  files: Files;
  live: Live;
  dextr: Dextr;
  readiness: Readiness;
  log: Logger;
  /** Announces a queued task after its transaction is committed. */
  wakeRunner: () => void;
}
