import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Maintains the number of each dataset's images, so that it need not be counted. Each row of image_counts is a
 * difference; a dataset's number is the sum of its rows. Transactions that change images only add rows, so that they do
 * not wait for each other, and a rollback removes its differences. Readers combine many rows into one
 * (server/features/images/imageTotals.ts). The table has no primary key, so backups leave it out: the triggers rebuild
 * it from the restored images.
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

  // Skips images that are deleted together with their dataset.
  `create function count_removed_images() returns trigger language plpgsql as $$
  begin
    insert into image_counts (dataset_id, images, annotated)
    select dataset_id, -count(*), -count(*) filter (where annotated)
    from changed where deleted_at is null and exists (select from datasets where id = dataset_id) group by dataset_id;
    return null;
  end $$`,
  `create trigger count_removed_images after delete on images
    referencing old table as changed for each statement execute function count_removed_images()`,

  // Fires when images are moved to the trash or back, or become annotated. Nearly all updates do neither.
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
