import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * The number of each dataset's images, kept instead of counted. A row of image_counts is a difference, and the sum over
 * a dataset's rows is its number: whoever changes images only adds rows, so that nobody waits for another, and a
 * roll-back takes its differences with it. Readers join many rows into one (server/features/images/imageTotals.ts). The table has
 * no primary key, so that backups leave it out: the triggers make it anew from the images that are restored.
 */
const statements = [
  `create table image_counts (
    dataset_id integer not null,
    images integer not null,
    annotated integer not null
  )`,
  `create index image_counts_dataset on image_counts (dataset_id)`,

  `create function count_added_images() returns trigger language plpgsql as $$
  begin
    insert into image_counts (dataset_id, images, annotated)
    select dataset_id, count(*), count(*) filter (where annotated)
    from changed where deleted_at is null group by dataset_id;
    return null;
  end $$`,
  `create trigger count_added_images after insert on images
    referencing new table as changed for each statement execute function count_added_images()`,

  // Of images that go with their dataset nothing is kept.
  `create function count_removed_images() returns trigger language plpgsql as $$
  begin
    insert into image_counts (dataset_id, images, annotated)
    select dataset_id, -count(*), -count(*) filter (where annotated)
    from changed where deleted_at is null and exists (select from datasets where id = dataset_id) group by dataset_id;
    return null;
  end $$`,
  `create trigger count_removed_images after delete on images
    referencing old table as changed for each statement execute function count_removed_images()`,

  // Images go into the trash and come back, and become annotated. Nearly all updates do neither and are not noticed.
  `create function count_changed_image() returns trigger language plpgsql as $$
  begin
    insert into image_counts (dataset_id, images, annotated) values (
      new.dataset_id,
      (new.deleted_at is null)::int - (old.deleted_at is null)::int,
      (new.deleted_at is null and new.annotated)::int - (old.deleted_at is null and old.annotated)::int
    );
    return null;
  end $$`,
  `create trigger count_changed_image after update on images for each row
    when (old.annotated <> new.annotated or (old.deleted_at is null) <> (new.deleted_at is null))
    execute function count_changed_image()`,

  `create function count_no_images() returns trigger language plpgsql as $$
  begin
    delete from image_counts;
    return null;
  end $$`,
  `create trigger count_no_images after truncate on images for each statement execute function count_no_images()`,

  `create function forget_image_counts() returns trigger language plpgsql as $$
  begin
    delete from image_counts where dataset_id = old.id;
    return null;
  end $$`,
  `create trigger forget_image_counts after delete on datasets for each row execute function forget_image_counts()`,

  `insert into image_counts (dataset_id, images, annotated)
    select dataset_id, count(*), count(*) filter (where annotated)
    from images where deleted_at is null group by dataset_id`,
];

export const imageCounts: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
