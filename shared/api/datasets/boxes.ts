import { z } from "zod";
import { MAX_CATEGORIES } from "../../constants";
import { id } from "../../entities/scalars";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { idInPath } from "../protocol/inputs";
import { isOneOfBoth, ONE_OF_BOTH, whichImages } from "./bulk";

/** Calls that turn the boxes of a dataset into outlines. */

const params = z.object({ id: idInPath });

/** Selects the boxes of images; with `categories`, only boxes of these categories. */
const whichBoxes = { ...whichImages, categories: z.array(id).min(1).max(MAX_CATEGORIES).optional() };
const body = z.object(whichBoxes).refine(isOneOfBoth, ONE_OF_BOTH);

export const countBoxes = declare({
  method: "POST",
  path: "/dataset/{id}/boxes/count",
  title: "Counting Boxes",
  access: "user",
  summary: "Count the annotations that are only boxes, and list the changes of boxes that can be undone",
  params,
  body,
  output: z.object({
    boxes: z.number(),
    /** Number of images with boxes. */
    images: z.number(),
    /** Changes of the last 30 days, the newest first. `boxes`: number of outlines that the change made. */
    changes: z.array(z.object({ undo: z.uuid(), boxes: z.number(), made_at: z.string(), is_own: z.boolean() })),
  }),
});

/**
 * `boxes` is the number of boxes that the caller has seen: if the number has changed, nothing is changed, and the
 * response is 409 with the code `total_changed` and the current number.
 */
export const outlineBoxes = declare({
  method: "POST",
  path: "/dataset/{id}/boxes/outline",
  title: "Outlining Boxes",
  access: "user",
  summary:
    "Replace boxes with the outlines that DEXTR finds in them, in a task; its result has the counts, and the id with which restoreBoxes undoes the task",
  params,
  body: z.object({ ...whichBoxes, boxes: z.number().int().min(0).optional() }).refine(isOneOfBoth, ONE_OF_BOTH),
  output: taskStarted,
});

export const restoreBoxes = declare({
  method: "POST",
  path: "/dataset/{id}/boxes/undo",
  title: "Restoring Boxes",
  access: "user",
  summary:
    "Undo a call of outlineBoxes of the last 30 days, in a task: outlines become the boxes that they were, except those that were changed since",
  params,
  body: z.object({ undo: z.uuid() }),
  output: taskStarted,
});
