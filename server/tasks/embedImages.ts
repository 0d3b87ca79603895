import { z } from "zod";
import { embedImages as embed } from "../features/embeddings/embedImages";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

/**
 * Describes a dataset's images with the network, for the order of its queue. A repeated task continues where it was
 * interrupted.
 */
export async function embedImages(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { dataset_id } = z.object({ dataset_id: z.number() }).parse(payload);
  const dataset = await liveDataset(tools.db, dataset_id);
  const { compared, unreadable } = await embed(tools, dataset);
  invalidateCachedFigures(tools.db, dataset.id);
  tools.info(`Compared ${compared} image(s); ${unreadable} cannot be read.`);
  return { what: "embedImages", compared, unreadable };
}
