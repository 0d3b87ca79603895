import type { Env } from "../../base/env";
import type { Files } from "../../files/files";
import type { Live } from "../../live/live";
import type { Dextr } from "../../onnx/dextr";

/** Services for tasks besides the helpers of the queue. */
export interface TaskTools {
  files: Files;
  live: Live;
  dextr: Dextr;
  env: Pick<Env, "DATABASE_URL" | "GENERATE_PROVIDER_URL" | "MAX_UPLOAD_MB">;
}
