import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { ChangeTools, Failure, Outcome } from "./change";
import { lockImages, raiseImages, tellRaised } from "./massWrite";
import { moveImages } from "./moveImages";

/** An image that a change of many has changed; `path` is null when it is no longer in the dataset. */
interface Then {
  id: number;
  path: string | null;
  isInBin: boolean;
  before: { path?: string; labels?: number[]; done?: boolean };
  /** Neither as it was before the change nor as that left it. */
  isOther: boolean;
}

/**
 * Gives images back the place, labels or mark that they had before the change `of`. What somebody has changed, moved or
 * deleted since is left alone and told. To do it twice is to do it once.
 */
export async function takeBack(
  tools: ChangeTools,
  dataset: { id: number; folder: string },
  of: string,
  ids: readonly number[],
): Promise<Outcome> {
  const { places, changed, failures, raised } = await transaction(tools.db, async (trx) => {
    await lockImages(trx, ids);
    const then = await read(trx, dataset.id, of, ids);
    const failures = then.flatMap(refusal);
    const refused = new Set(failures.map(({ id }) => id));
    const free = then.filter(({ id }) => !refused.has(id));
    const rest = free.filter(({ before }) => before.path === undefined).map(({ id }) => id);
    const places = new Map(free.flatMap(({ id, before }) => (before.path === undefined ? [] : [[id, before.path]])));
    return { places, changed: rest.length, failures, raised: await write(trx, of, rest) };
  });
  tellRaised(tools.live, raised);
  if (places.size === 0) return { changed, failures };
  const moved = await moveImages(tools, dataset, (image) => places.get(image.id) ?? image.path, [...places.keys()]);
  return { changed: changed + moved.changed, failures: [...failures, ...moved.failures] };
}

async function read(db: Kysely<Schema>, datasetId: number, of: string, ids: readonly number[]): Promise<Then[]> {
  const is = (labels: "before" | "after") => {
    const list = sql`array(select jsonb_array_elements_text(${sql.ref(`b.${labels}`)} -> 'labels')::integer)`;
    return sql`(i.labels @> ${list} and i.labels <@ ${list})`;
  };
  const { rows } = await sql<Then>`
    select b.image_id as id, i.path, i.deleted_at is not null as "isInBin", b.before,
      case when b.before ? 'path' then i.path <> b.before ->> 'path' and i.path <> b.after ->> 'path'
        when b.before ? 'labels' then not ${is("before")} and not ${is("after")}
        else false end as "isOther"
    from images_before b left join images i on i.id = b.image_id and i.dataset_id = ${datasetId}::integer
    where b.change = ${of}::uuid and b.image_id = any(${ids}::integer[]) order by b.image_id`.execute(db);
  return rows;
}

function refusal({ id, path, isInBin, isOther, before }: Then): Failure[] {
  if (path === null) return [{ id, message: "It is no longer there." }];
  if (isInBin) return [{ id, message: `${path} is in the trash.` }];
  if (!isOther) return [];
  return [{ id, message: before.path === undefined ? `${path} has got other labels since.` : `It is at ${path} now.` }];
}

/** Marks and labels. Returns the images whose open pages must be loaded again. */
async function write(trx: Transaction<Schema>, of: string, ids: readonly number[]) {
  const then = sql`images_before b where b.change = ${of}::uuid and b.image_id = images.id`;
  await sql`
    update images set done = (select (b.before ->> 'done')::boolean from ${then})
    where id = any(${ids}::integer[]) and done <> (select (b.before ->> 'done')::boolean from ${then})`.execute(trx);
  // A category may have been deleted for good meanwhile.
  const labels = sql`array(select c.id from categories c where c.id in (
    select jsonb_array_elements_text(b.before -> 'labels')::integer from ${then}) order by 1)`;
  const { rows } = await sql<{ id: number }>`
    select id from images where id = any(${ids}::integer[])
      and exists (select from ${then} and b.before ? 'labels') and labels <> ${labels}`.execute(trx);
  return raiseImages(
    trx,
    rows.map(({ id }) => id),
    sql`, labels = ${labels}`,
  );
}
