import { type Kysely, type RawBuilder, sql } from "kysely";
import type { listThreads as call } from "../../../shared/api/comments";
import type { OutputOf, QueryOf } from "../../../shared/api/protocol/call";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import type { CurrentUser } from "../../base/permissions";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { datasetsSeenBy } from "../access/access";
import { isShown } from "./commentRow";
import { concerns, isUnread } from "./concerns";

interface ThreadRow {
  uuid: string;
  image_id: number;
  file_name: string;
  dataset_id: number;
  dataset: string;
  resolved: boolean;
  comments: number;
  unread: number;
  mentions_me: boolean;
  last_creator: string;
  last_at: Date;
  last_text: string;
}

/** Returns a page of the threads that a user may see, those with the newest comments first. */
export async function listThreads(
  db: Kysely<Schema>,
  user: CurrentUser,
  query: QueryOf<typeof call>,
): Promise<OutputOf<typeof call>> {
  const condition = conditionOf(db, user, query);
  const from = sql`comments c join images on images.id = c.image_id where ${condition}`;
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db);
  const pagination = pageOf(query.page, query.limit, counted.rows[0]?.total ?? 0);
  const inThread = sql`(r.uuid = t.uuid or r.thread = t.uuid) and r.deleted_at is null`;
  const { rows } = await sql<ThreadRow>`
    select t.uuid, t.image_id, t.file_name, t.dataset_id, d.name as dataset, t.resolved_at is not null as resolved,
      (select count(*)::int from comments r where ${inThread}) as comments,
      (select count(*)::int from comments c where (c.uuid = t.uuid or c.thread = t.uuid) and ${isUnread(user.id)}) as unread,
      exists (select from comments r where ${inThread} and r.mentions @> array[${user.id}::int]) as mentions_me,
      l.user_name as last_creator, l.created_at as last_at, l.text as last_text
    from (
      select c.uuid, c.image_id, c.resolved_at, images.file_name, images.dataset_id, (
        select r.id from comments r where (r.uuid = c.uuid or r.thread = c.uuid) and r.deleted_at is null
        order by r.created_at desc, r.id desc limit 1) as last_id
      from ${from}
    ) t join comments l on l.id = t.last_id join datasets d on d.id = t.dataset_id
    order by l.created_at desc, l.id desc offset ${pagination.start} limit ${query.limit}`.execute(db);
  return { pagination, threads: rows.map(threadOfRow) };
}

const threadOfRow = ({ last_creator, last_at, last_text, ...row }: ThreadRow) => ({
  ...row,
  last: { creator: last_creator, created_at: last_at.toISOString(), text: last_text },
});

/** Returns the SQL condition for the first comments `c` of the wanted threads. */
function conditionOf(
  db: Kysely<Schema>,
  user: CurrentUser,
  { dataset_id, state, about }: QueryOf<typeof call>,
): RawBuilder<unknown> {
  const seen = datasetsSeenBy(db, user).select("datasets.id");
  const conditions = [sql`c.thread is null and ${isShown} and ${isLiveImage()} and images.dataset_id in (${seen})`];
  if (dataset_id !== undefined) conditions.push(sql`images.dataset_id = ${dataset_id}::int`);
  if (state !== "all") conditions.push(sql`(c.resolved_at is null) = ${state === "open"}::boolean`);
  const some = (each: RawBuilder<boolean>) => sql`exists (
    select from comments t cross join lateral (select t.*) c
    where (t.uuid = first.uuid or t.thread = first.uuid) and t.deleted_at is null and ${each})`;
  const ofThread = (each: RawBuilder<boolean>) =>
    sql`(select true from (select c.uuid) first where ${some(each)}) is true`;
  if (about === "mentions") conditions.push(ofThread(sql<boolean>`c.mentions @> array[${user.id}::int]`));
  if (about === "me") conditions.push(ofThread(concerns(user.id)));
  if (about === "unread") conditions.push(ofThread(sql<boolean>`${isUnread(user.id)} and ${concerns(user.id)}`));
  return sql.join(conditions, sql` and `);
}
