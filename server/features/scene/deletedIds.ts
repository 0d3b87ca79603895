import { type RawBuilder, sql } from "kysely";

/**
 * Returns the ids of an image's deleted annotations, as JSON: for each run of consecutive ids, the first id and the
 * number of ids. Null if there are none.
 */
export const deletedRuns = (imageId: RawBuilder<number>) => sql<[number, number][] | null>`
  (select json_agg(json_build_array(first, length) order by first) from (
    select min(id) as first, count(*)::integer as length from (
      select id, id - row_number() over (order by id) as run from annotations
      where image_id = ${imageId} and deleted_at is not null) as deleted
    group by run) as runs)`;
