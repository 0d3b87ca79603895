import { z } from "zod";
import { id, text, uuid } from "./scalars";
import { MAX_COORDINATE } from "./shape";

/** Longest text of a comment, in UTF-16 code units. */
export const MAX_COMMENT = 2_000;

export const commentText = text(MAX_COMMENT).refine((value) => value.trim() !== "", "A comment needs a text");

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const box = z.tuple([coordinate, coordinate, coordinate, coordinate]);

/**
 * The fields that an edit sets. A comment without `thread` begins a thread and has a place, `x` and `y` in image
 * pixels; its replies name it as their `thread` and have no place.
 */
export const commentFields = z.object({
  /** Uuid of the comment that begins the thread; null for that comment itself. */
  thread: uuid.nullable(),
  x: coordinate.nullable(),
  y: coordinate.nullable(),
  /** Uuid of the annotation that the thread is about, and its bounding box when the thread was begun. */
  annotation: uuid.nullable(),
  box: box.nullable(),
  /** Plain text; `@username` mentions a user. */
  text: commentText,
  /** Only meaningful for a comment that begins a thread. */
  resolved: z.boolean(),
});
export type CommentFields = z.infer<typeof commentFields>;

export const comment = commentFields.extend({
  uuid: z.string(),
  text: z.string(),
  /** Username of the user who resolved the thread. */
  resolved_by: z.string().nullable(),
  /** Username of the author. */
  creator: z.string(),
  created_at: z.string(),
  edited_at: z.string().nullable(),
  /** True for the deleted first comment of a thread that still has replies; its text is empty. */
  deleted: z.boolean(),
  revision: z.number(),
});
export type Comment = z.infer<typeof comment>;

/** A thread in a list. */
export const threadSummary = z.object({
  /** Uuid of the comment that begins the thread. */
  uuid: z.string(),
  image_id: id,
  file_name: z.string(),
  dataset_id: id,
  dataset: z.string(),
  resolved: z.boolean(),
  /** Number of comments that are not deleted. */
  comments: z.number(),
  /** Number of other users' comments that the caller has not read. */
  unread: z.number(),
  /** True if a comment of the thread mentions the caller. */
  mentions_me: z.boolean(),
  /** The newest comment. */
  last: z.object({ creator: z.string(), created_at: z.string(), text: z.string() }),
});
export type ThreadSummary = z.infer<typeof threadSummary>;
