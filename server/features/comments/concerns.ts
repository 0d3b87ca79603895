import { type RawBuilder, sql } from "kysely";

/** SQL for the thread of the comment `c`. */
export const threadOf = sql<string>`coalesce(c.thread, c.uuid)`;

/** Age in days from which comments no longer count as unread, so that the count reads few of them. */
const UNREAD_DAYS = 60;

/**
 * SQL condition for comments `c` that mention a user, continue the user's threads, or are on images of the user's work.
 */
export const concerns = (userId: number): RawBuilder<boolean> => sql<boolean>`(
  c.mentions @> array[${userId}::int]
  or exists (select from comments o where (o.uuid = ${threadOf} or o.thread = ${threadOf}) and o.user_id = ${userId}::int)
  or exists (select from annotations a where a.image_id = c.image_id and a.creator_id = ${userId}::int)
  or exists (select from work_sessions w where w.image_id = c.image_id and w.user_id = ${userId}::int))`;

/** SQL condition for other users' comments `c` that a user has not read. */
export const isUnread = (userId: number): RawBuilder<boolean> => sql<boolean>`(
  c.deleted_at is null and c.user_id is distinct from ${userId}::int
  and c.created_at > now() - make_interval(days => ${UNREAD_DAYS}::int)
  and not exists (select from comment_reads m
    where m.user_id = ${userId}::int and m.thread = ${threadOf} and m.read_until >= c.created_at))`;
