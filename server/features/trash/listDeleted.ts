import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Instance, UndoEntry, UndoType } from "../../../shared/api/undo";
import { type MemberRole, rolesFrom } from "../../../shared/entities/member";
import { ago } from "../../../shared/rules/ago";
import type { CurrentUser } from "../../base/permissions";
import { isVisibleAnnotation } from "../../db/rows/annotations";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

/** A deleted object of any kind. Fields about its parents are null if they do not apply. */
interface Deleted {
  id: number;
  name: string | null;
  at: Date;
  by: string | null;
  category_id: number | null;
  category: string | null;
  image_id: number | null;
  image: string | null;
  dataset_id: number | null;
  dataset: string | null;
  /** True if the caller may delete it for good. */
  deletable: boolean;
}

/**
 * Lists the latest deleted objects that a user may restore, newest first. Anything inside a deleted parent is not
 * listed: it is restored, or deleted for good, with its parent. An undone import is one entry.
 */
export async function listDeleted(
  db: Kysely<Schema>,
  user: CurrentUser,
  { type, limit }: { type: UndoType; limit: number },
): Promise<UndoEntry[]> {
  const kinds = type === "all" ? (Object.keys(QUERIES) as Instance[]) : [type];
  const found = kinds.map(async (instance) => {
    const { rows } = await QUERIES[instance](user, limit).execute(db);
    return rows.map((row) => ({ instance, row }));
  });
  const now = new Date();
  return (await Promise.all(found))
    .flat()
    .sort((a, b) => b.row.at.getTime() - a.row.at.getTime())
    .slice(0, limit)
    .map(({ instance, row }) => entryOf(instance, row, now));
}

function entryOf(instance: Instance, row: Deleted, now: Date): UndoEntry {
  const named = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name });
  return {
    id: row.id,
    instance,
    name: row.name || "-",
    ago: ago(row.at, now),
    date: row.at.toISOString(),
    deleted_by: row.by,
    category: named(row.category_id, row.category),
    image: named(row.image_id, row.image),
    dataset: named(row.dataset_id, row.dataset),
    permissions: { delete: row.deletable },
  };
}

const seesAll = (user: CurrentUser) => user.isAdmin || user.anonymous;

/** Returns SQL that is true if the user owns `datasets d`. */
const owned = (user: CurrentUser) => sql<boolean>`(${seesAll(user)}::boolean or d.owner_id = ${user.id}::integer)`;
/** Returns SQL that is true if the user owns `datasets d`, or is a member of it who has this role or a higher one. */
const hasRole = (user: CurrentUser, least: MemberRole) => sql<boolean>`(${owned(user)} or exists (
  select from dataset_members m where m.dataset_id = d.id and m.user_id = ${user.id}::integer
    and m.role = any(${rolesFrom(least)}::text[])))`;
const nameOf = (userId: RawBuilder<unknown>) => sql`(select username from users where users.id = ${userId})`;
const nothing = sql`null::integer as category_id, null as category, null::integer as image_id, null as image`;

type Query = (user: CurrentUser, limit: number) => RawBuilder<Deleted>;

const QUERIES: Record<Instance, Query> = {
  annotation: (user, limit) => sql`
    select a.id, a.metadata ->> 'name' as name, a.deleted_at as at, ${nameOf(sql`a.deleted_by`)} as by,
      c.id as category_id, c.name as category, i.id as image_id, i.file_name as image, d.id as dataset_id, d.name as dataset,
      coalesce(${owned(user)}, false) as deletable
    from annotations a
    join images i on i.id = a.image_id and ${isLiveImage("i")}
    join datasets d on d.id = i.dataset_id and d.deleted_at is null
    join categories c on c.id = a.category_id
    where a.deleted_at is not null and ${isVisibleAnnotation("a")} and (a.import_id is null or a.revision <> a.import_revision)
      and ${hasRole(user, "annotator")}
    order by a.deleted_at desc, a.id desc limit ${limit}`,

  category: (user, limit) => sql`
    select c.id, c.name, c.deleted_at as at, ${nameOf(sql`c.deleted_by`)} as by, ${nothing},
      null::integer as dataset_id, null as dataset, true as deletable
    from categories c
    where c.deleted_at is not null and (${seesAll(user)}::boolean or c.creator_id = ${user.id}::integer)
    order by c.deleted_at desc, c.id desc limit ${limit}`,

  dataset: (user, limit) => sql`
    select d.id, d.name, d.deleted_at as at, ${nameOf(sql`d.deleted_by`)} as by, ${nothing},
      null::integer as dataset_id, null as dataset, true as deletable
    from datasets d
    where d.deleted_at is not null and d.purged_at is null and ${owned(user)}
    order by d.deleted_at desc, d.id desc limit ${limit}`,

  image: (user, limit) => sql`
    select i.id, i.file_name as name, i.deleted_at as at, ${nameOf(sql`i.deleted_by`)} as by, ${nothing},
      d.id as dataset_id, d.name as dataset, coalesce(${owned(user)}, false) as deletable
    from images i
    join datasets d on d.id = i.dataset_id and d.deleted_at is null
    where i.deleted_at is not null and ${hasRole(user, "maintainer")}
    order by i.deleted_at desc, i.id desc limit ${limit}`,

  import: (user, limit) => sql`
    select p.id, p.file_name as name, p.undone_at as at, ${nameOf(sql`p.undone_by`)} as by, ${nothing},
      d.id as dataset_id, d.name as dataset, coalesce(${owned(user)}, false) as deletable
    from imports p
    join datasets d on d.id = p.dataset_id and d.deleted_at is null
    where p.state = 'undone' and p.undone_at is not null and p.purged_at is null
      and (${hasRole(user, "maintainer")} or (p.user_id = ${user.id}::integer and ${hasRole(user, "annotator")}))
      and not exists (select from tasks t where t.key = 'undo-import:' || p.id and t.state in ('queued', 'running'))
    order by p.undone_at desc, p.id desc limit ${limit}`,
};
