import { type Kysely, sql } from "kysely";
import type { Comment } from "../../../shared/entities/comment";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { visibleImage } from "../access/access";
import { commentOf, isShown, type ShownComment, shownColumns } from "./commentRow";

/** Returns the comments of images, oldest first, by image id. The caller must have checked the user's rights. */
export async function commentsOfImages(
  db: Kysely<Schema>,
  imageIds: readonly number[],
): Promise<Map<number, Comment[]>> {
  const { rows } = await sql<ShownComment & { image_id: number }>`
    select c.image_id, ${shownColumns} from comments c
    where c.image_id = any(${imageIds}::int[]) and ${isShown} order by c.created_at, c.id`.execute(db);
  const byImage = new Map<number, Comment[]>();
  for (const row of rows) byImage.set(row.image_id, [...(byImage.get(row.image_id) ?? []), commentOf(row)]);
  return byImage;
}

/** Returns an image's comments, and until when the user has read each thread. Throws 404 if the user cannot see it. */
export async function imageComments(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
): Promise<{ comments: Comment[]; read: { thread: string; until: string }[] }> {
  await visibleImage(db, user, imageId);
  const comments = (await commentsOfImages(db, [imageId])).get(imageId) ?? [];
  const reads = await db
    .selectFrom("comment_reads")
    .innerJoin("comments", "comments.uuid", "comment_reads.thread")
    .select(["comment_reads.thread", "comment_reads.read_until"])
    .where("comments.image_id", "=", imageId)
    .where("comment_reads.user_id", "=", user.id)
    .execute();
  return { comments, read: reads.map(({ thread, read_until }) => ({ thread, until: read_until.toISOString() })) };
}

/** Marks a thread as read up to a time. Throws 404 if the user cannot see it. */
export async function markRead(
  db: Kysely<Schema>,
  user: CurrentUser,
  { thread, until }: { thread: string; until: string },
): Promise<void> {
  const first = await db
    .selectFrom("comments")
    .select("image_id")
    .where("uuid", "=", thread)
    .where("thread", "is", null)
    .executeTakeFirst();
  if (!first) throw notFound("Invalid thread");
  await visibleImage(db, user, first.image_id);
  // A time in the future would hide comments that are not written yet.
  await sql`
    insert into comment_reads (user_id, thread, read_until)
    values (${user.id}::int, ${thread}::uuid, least(${until}::timestamptz, now()))
    on conflict (user_id, thread) do update
      set read_until = greatest(comment_reads.read_until, excluded.read_until)`.execute(db);
}
