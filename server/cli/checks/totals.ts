import { sql } from "kysely";
import { isLiveImage } from "../../db/rows/images";
import type { Patient } from "./check";

interface Difference {
  id: number;
  kept: string;
  counted: string;
}

/** Checks the stored number of images of each dataset by counting. With `fix`, corrects it. */
export async function* totals({ db, fix }: Patient): AsyncGenerator<string> {
  const differences = await db.transaction().execute(async (trx) => {
    // Prevents changes of images between the two counts.
    await sql`lock table images in share mode`.execute(trx);
    const { rows } = await sql<Difference>`
      with kept as (
        select dataset_id as id, sum(images) as images, sum(annotated) as annotated from image_counts group by dataset_id
      ), counted as (
        select dataset_id as id, count(*) as images, count(*) filter (where annotated) as annotated
        from images where ${isLiveImage()} group by dataset_id
      )
      select id, concat_ws('/', coalesce(kept.images, 0), coalesce(kept.annotated, 0)) as kept,
        concat_ws('/', coalesce(counted.images, 0), coalesce(counted.annotated, 0)) as counted
      from datasets left join kept using (id) left join counted using (id) order by id`.execute(trx);
    const wrong = rows.filter(({ kept, counted }) => kept !== counted);
    if (fix && wrong.length > 0) await countAgain(trx, wrong);
    return wrong;
  });
  const change = fix ? "corrected to" : "but it has";
  for (const { id, kept, counted } of differences)
    yield `Dataset ${id} has a stored count of ${kept} (images/annotated), ${change} ${counted}.`;
}

async function countAgain(trx: Patient["db"], wrong: readonly Difference[]): Promise<void> {
  const ids = sql`${wrong.map(({ id }) => id)}::int[]`;
  await sql`delete from image_counts where dataset_id = any(${ids})`.execute(trx);
  await sql`
    insert into image_counts (dataset_id, images, annotated)
    select dataset_id, count(*), count(*) filter (where annotated)
    from images where ${isLiveImage()} and dataset_id = any(${ids}) group by dataset_id`.execute(trx);
}
