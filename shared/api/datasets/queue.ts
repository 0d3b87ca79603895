import { z } from "zod";
import { id, text } from "../../entities/scalars";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { idInPath } from "../protocol/inputs";
import { success } from "../protocol/outputs";

/** Queue of a dataset: leases images to users, so that no two users get the same one. */

/** Time in minutes without activity after which a lease ends. */
export const LEASE_MINUTES = 30;

/** Why a user got an image, in the order in which the queue gives them. */
export const QUEUE_REASONS = ["returned", "assigned", "leased", "free"] as const;
export type QueueReason = (typeof QUEUE_REASONS)[number];

const title = "Next Image";
const params = z.object({ id: idInPath });

export const nextImage = declare({
  method: "POST",
  path: "/dataset/{id}/images/next",
  title,
  access: "user",
  summary:
    "Lease the next image to the caller: one that was returned to the caller, then one assigned to the caller, then one of nobody; `image_id` is null if nothing is left",
  params,
  body: z.object({
    /** Images that the caller does not want. The caller's leases on them end. */
    except: z.array(id).max(1000).default([]),
  }),
  output: z.object({
    image_id: id.nullable(),
    reason: z.enum(QUEUE_REASONS).nullable(),
    /** Time at which the lease ends unless there is activity before. */
    until: z.string().nullable(),
  }),
});
export type NextImage = z.output<typeof nextImage.output>;

export const listLeases = declare({
  method: "GET",
  path: "/dataset/{id}/leases",
  title: "Loading Leases",
  access: "user",
  summary: "List the images that are leased to users at the moment. Only for maintainers",
  params,
  output: z.array(z.object({ image_id: id, file_name: z.string(), username: z.string(), until: z.string() })),
});

export const releaseImage = declare({
  method: "DELETE",
  path: "/dataset/{id}/leases/{imageId}",
  title: "Releasing Image",
  access: "user",
  summary: "End the caller's lease on an image; maintainers end those of others too",
  params: z.object({ id: idInPath, imageId: idInPath }),
  /** The user whose lease is meant: that of another user, who has got the image meanwhile, stays. */
  query: z.object({ username: text(100).optional() }),
  output: success,
});

export const getComparedImages = declare({
  method: "GET",
  path: "/dataset/{id}/queue/compared",
  title: "Loading Queue",
  access: "user",
  summary:
    "Count the images that were compared by their looks, which the order `farthest` of the queue needs. Only for maintainers",
  params,
  output: z.object({
    images: z.number(),
    compared: z.number(),
    /** Images whose files cannot be read. */
    unreadable: z.number(),
  }),
});

export const compareImages = declare({
  method: "POST",
  path: "/dataset/{id}/queue/compare",
  title: "Comparing Images",
  access: "user",
  summary:
    "Compare the images by their looks that were not compared yet, in a task. It starts by itself when a maintainer chooses the order `farthest`, and for images added later. Only for maintainers",
  params,
  output: taskStarted,
});
