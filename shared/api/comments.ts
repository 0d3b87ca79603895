import { z } from "zod";
import { comment, threadSummary } from "../entities/comment";
import { id, uuid } from "../entities/scalars";
import { declare } from "./protocol/call";
import { idInPath, limit, page } from "./protocol/inputs";
import { pagination, success } from "./protocol/outputs";

/** Calls that read comments. Comments are written as edits of the subject `comment`: see `sendEdits`. */

export const listImageComments = declare({
  method: "GET",
  path: "/image/{id}/comments",
  title: "Loading Comments",
  access: "user",
  summary: "List the comments of an image, oldest first, and up to what time the caller has read their threads",
  params: z.object({ id: idInPath }),
  output: z.object({
    comments: z.array(comment),
    read: z.array(z.object({ thread: z.string(), until: z.string() })),
  }),
});

export const listThreads = declare({
  method: "GET",
  path: "/comment/",
  title: "Loading Comments",
  access: "user",
  summary: "Get a page of the threads of comments that the caller may see, those with the newest comments first",
  query: z.object({
    dataset_id: idInPath.optional(),
    state: z.enum(["open", "resolved", "all"]).default("open"),
    /**
     * `me`: threads that mention the caller, that the caller takes part in, or on images that the caller has worked on.
     * `mentions`: threads that mention the caller. `unread`: threads of `me` with comments that the caller has not
     * read.
     */
    about: z.enum(["all", "me", "mentions", "unread"]).default("all"),
    page,
    limit: limit(50),
  }),
  output: z.object({ pagination, threads: z.array(threadSummary) }),
});

export const countUnreadComments = declare({
  method: "GET",
  path: "/comment/unread",
  title: "Loading Comments",
  access: "user",
  summary:
    "Count the comments of the last 60 days that the caller has not read and that concern the caller, as `about=me` lists them",
  output: z.object({
    unread: z.number(),
    /** Only datasets with unread comments. */
    datasets: z.array(z.object({ id, unread: z.number() })),
  }),
});

/** A time that PostgreSQL can store. */
const time = z.iso.datetime({ offset: true }).refine((value) => Date.parse(value) > 0, "Invalid time");

export const markCommentsRead = declare({
  method: "POST",
  path: "/comment/read",
  title: "Reading Comments",
  access: "user",
  summary: "Mark the comments of a thread as read, up to the time of the last one that was shown",
  body: z.object({ thread: uuid, until: time }),
  output: success,
});
