import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Creates the table of what DEXTR saw of annotations (decision 143). It is not backed up and refers to nothing, as the
 * other tables of the quality check.
 */
const statements = [
  // revision: that of the annotation; hash: that of the image's file. A look at other content is no longer used.
  // features: the bytes of 32-bit numbers in base64; null if the network describes nothing.
  `create table quality_looks (
    annotation_id integer not null,
    dataset_id integer not null,
    revision integer not null,
    hash text not null,
    overlap real,
    features text
  )`,
  `create unique index quality_looks_annotation on quality_looks (annotation_id)`,
  `create index quality_looks_dataset on quality_looks (dataset_id)`,
];

export const qualityLooks: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
