import { type Kysely, sql } from "kysely";
import type { OutputOf } from "../../../shared/api/protocol/call";
import type { DatasetWork, getWork, ReturnedImage, WorkCounts } from "../../../shared/api/work";
import { rolesFrom } from "../../../shared/entities/member";
import type { CurrentUser } from "../../base/permissions";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

const MOST = { datasets: 200, returned: 50, accepted: 10, comments: 3 };

type Work = OutputOf<typeof getWork>;

/**
 * Returns a user's work in the datasets that the user shares with others or has images in. Datasets that are only open
 * to the user as an admin or a viewer are left out.
 */
export async function workOf(db: Kysely<Schema>, user: CurrentUser): Promise<Work> {
  const datasets = await datasetsOf(db, user.id);
  if (datasets.length === 0) return { is_team: false, datasets: [], returned: [], accepted: [] };
  const ids = datasets.map(({ id }) => id);
  const [returned, accepted] = [await returnedTo(db, user.id, ids), await acceptedOf(db, user.id, ids)];
  return { is_team: true, datasets, returned, accepted };
}

async function datasetsOf(db: Kysely<Schema>, userId: number): Promise<DatasetWork[]> {
  const { rows } = await sql<WorkCounts & { id: number; name: string; waiting: number | null }>`
    with mine as (
      select dataset_id,
        count(*) filter (where stage = 'open' and not annotated) as new,
        count(*) filter (where stage = 'open' and annotated) as annotating,
        count(*) filter (where stage = 'returned') as returned,
        count(*) filter (where stage = 'to_review') as to_review,
        count(*) filter (where stage = 'accepted') as accepted
      from images where assignee_id = ${userId} and ${isLiveImage()} group by dataset_id
    )
    select d.id, d.name, coalesce(mine.new, 0) as new, coalesce(mine.annotating, 0) as annotating,
      coalesce(mine.returned, 0) as returned, coalesce(mine.to_review, 0) as to_review,
      coalesce(mine.accepted, 0) as accepted,
      case when d.review and (d.owner_id = ${userId} or m.role = any(${rolesFrom("reviewer")}::text[])) then (
        select count(*) from images where dataset_id = d.id and ${isLiveImage()} and stage = 'to_review')
      end as waiting
    from datasets d
      left join dataset_members m on m.dataset_id = d.id and m.user_id = ${userId}
      left join mine on mine.dataset_id = d.id
    where d.deleted_at is null and (
      m.role = any(${rolesFrom("annotator")}::text[])
      or (d.owner_id = ${userId}
        and (mine.dataset_id is not null or exists (select from dataset_members o where o.dataset_id = d.id))))
    order by lower(d.name), d.id limit ${MOST.datasets}`.execute(db);
  return rows.map(({ id, name, waiting, ...mine }) => ({ id, name, mine, waiting }));
}

async function returnedTo(db: Kysely<Schema>, userId: number, datasetIds: number[]): Promise<ReturnedImage[]> {
  const { rows } = await sql<Omit<ReturnedImage, "returned_at"> & { returned_at: Date | null }>`
    select images.id, images.file_name, images.dataset_id, d.name as dataset, images.returned_by, images.returned_at,
      case when images.open_threads > 0 then (
        select coalesce(json_agg(json_build_object('uuid', t.uuid, 'creator', t.user_name, 'text', t.text)
          order by t.created_at, t.id), '[]')
        from (
          select c.id, c.uuid, c.user_name, c.text, c.created_at from comments c
          where c.image_id = images.id and c.thread is null and c.resolved_at is null and c.deleted_at is null
          order by c.created_at, c.id limit ${MOST.comments}) t)
      else '[]' end as comments
    from images join datasets d on d.id = images.dataset_id
    where images.assignee_id = ${userId} and images.dataset_id = any(${datasetIds}::integer[]) and ${isLiveImage()}
      and images.stage = 'returned'
    order by images.returned_at desc nulls last, images.id limit ${MOST.returned}`.execute(db);
  return rows.map(({ returned_at, ...row }) => ({ ...row, returned_at: returned_at?.toISOString() ?? null }));
}

async function acceptedOf(db: Kysely<Schema>, userId: number, datasetIds: number[]): Promise<Work["accepted"]> {
  const { rows } = await sql<Omit<Work["accepted"][number], "accepted_at"> & { accepted_at: Date | null }>`
    select images.id, images.file_name, images.dataset_id, d.name as dataset, h.created_at as accepted_at
    from images join datasets d on d.id = images.dataset_id left join lateral (
      select created_at from edit_history
      where subject = 'image' and subject_id = images.id::text and fields ->> 'stage' = 'accepted'
      order by revision desc limit 1
    ) h on true
    where images.assignee_id = ${userId} and images.dataset_id = any(${datasetIds}::integer[]) and ${isLiveImage()}
      and images.stage = 'accepted'
    order by h.created_at desc nulls last, images.id desc limit ${MOST.accepted}`.execute(db);
  return rows.map(({ accepted_at, ...row }) => ({ ...row, accepted_at: accepted_at?.toISOString() ?? null }));
}
