import { z } from "zod";
import { id } from "../entities/scalars";
import { declare } from "./protocol/call";

/** Numbers of images by stage; open ones are new without annotations, and else being annotated. */
const workCounts = z.object({
  new: z.number(),
  annotating: z.number(),
  returned: z.number(),
  to_review: z.number(),
  accepted: z.number(),
});
export type WorkCounts = z.infer<typeof workCounts>;

const place = z.object({ id, file_name: z.string(), dataset_id: id, dataset: z.string() });

const returnedImage = place.extend({
  returned_by: z.string().nullable(),
  returned_at: z.string().nullable(),
  /** The first comments of threads that are not resolved, at most three. */
  comments: z.array(z.object({ uuid: z.string(), creator: z.string(), text: z.string() })),
});
export type ReturnedImage = z.infer<typeof returnedImage>;

const datasetWork = z.object({
  id,
  name: z.string(),
  /** Images that are assigned to the caller. */
  mine: workCounts,
  /** Number of images that wait for a review; null if the caller does not review this dataset. */
  waiting: z.number().nullable(),
});
export type DatasetWork = z.infer<typeof datasetWork>;

export const getWork = declare({
  method: "GET",
  path: "/work",
  title: "Loading Work",
  access: "user",
  summary:
    "Get the caller's work: the shared datasets in which the caller annotates, images that were returned to the caller, and those accepted last",
  output: z.object({
    /** False if the caller shares no dataset and nothing is assigned to the caller. */
    is_team: z.boolean(),
    /** At most 200, by name. */
    datasets: z.array(datasetWork),
    /** At most 50, the last returned first. */
    returned: z.array(returnedImage),
    /** At most 10, the last accepted first; the time is null if it is no longer in the history. */
    accepted: z.array(place.extend({ accepted_at: z.string().nullable() })),
  }),
});
