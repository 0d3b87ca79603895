import { z } from "zod";
import { giveImages as give } from "../features/consensus/give/giveImages";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

const payloadOf = z.object({
  dataset_id: z.number(),
  image_ids: z.array(z.number()),
  user_ids: z.array(z.number()),
  /** Absent in tasks of earlier versions, which stored the truth before the task. */
  is_truth: z.boolean().default(false),
});

/** Gives copies of images to several users. */
export async function giveImages(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { dataset_id, image_ids, user_ids, is_truth } = payloadOf.parse(payload);
  return give(tools, await liveDataset(tools.db, dataset_id), image_ids, user_ids, is_truth);
}
