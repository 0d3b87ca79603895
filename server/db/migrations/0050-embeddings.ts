import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Adds embeddings of images and the order of the queue that needs them (decision 153). They have no primary key, since
 * they are not backed up: a task computes them again.
 */
const statements = [
  // hash: that of the image's file; the embedding of another file is no longer used. network: what computed the
  // embedding. embedding: 32-bit numbers, little-endian; null if the file cannot be read.
  `create table image_embeddings (
    image_id integer not null references images on delete cascade,
    dataset_id integer not null,
    hash text not null,
    network text not null,
    embedding bytea
  )`,
  `create unique index image_embeddings_image on image_embeddings (image_id)`,
  `create index image_embeddings_order on image_embeddings (dataset_id, image_id)`,
  `alter table datasets drop constraint datasets_queue_order_check`,
  `alter table datasets
    add constraint datasets_queue_order_check check (queue_order in ('list', 'smart', 'farthest'))`,
];

export const embeddings: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
