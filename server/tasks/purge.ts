import { z } from "zod";
import { purgeDataset } from "../features/trash/purgeDataset";
import { purgeImport } from "../features/trash/purgeImport";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./common/tools";

const payloadOf = z.object({ what: z.enum(["dataset", "import"]), id: z.number() });

/** Removes a permanently deleted dataset or import, which may be too large for one request. */
export function purge(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { what, id } = payloadOf.parse(payload);
  return what === "dataset" ? purgeDataset(tools, id) : purgeImport(tools, id);
}
