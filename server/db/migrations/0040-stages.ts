import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds the stage of each image, and the datasets' wish for a review (decision 139). Images that are done are accepted.
 * `done` stays, since the indices of image lists and the triggers of webhooks use it. Most images are open or, where no
 * review is asked for, accepted, so that few rows are in the index of the other stages.
 */
const statements = [
  `alter table datasets add column review boolean not null default false`,
  `alter table images add column stage text not null default 'open'
      check (stage in ('open', 'to_review', 'returned', 'accepted')),
    add column returned_by text, add column returned_at timestamptz`,
  `update images set stage = 'accepted' where done`,
  `alter table images add constraint images_done_stage check (done = (stage in ('to_review', 'accepted')))`,
  `create index images_by_stage on images (dataset_id, stage, name_key, id)
    include (folder, search_name, annotated) where deleted_at is null and stage <> 'open'`,
  // Bulk commands of the last day can still be undone.
  `update images_before set
    before = jsonb_build_object('stage', case when (before ->> 'done')::boolean then 'accepted' else 'open' end),
    after = jsonb_build_object('stage', case when (after ->> 'done')::boolean then 'accepted' else 'open' end)
    where before ? 'done'`,
];

export const stages: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
