import { type Kysely, sql } from "kysely";
import { HEAT_SIDE, SIZE_EDGES } from "../../../shared/entities/statistics";
import { MAX_AREA } from "../../../shared/statistics/addImage";
import { type MakerSums, noSums, type Sums } from "../../../shared/statistics/sums";
import { isShown } from "../../db/rows/annotations";
import { isLiveCategory } from "../../db/rows/categories";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import type { Block } from "./blocks";

const AREA = sql`least(greatest(a.area, ${sql.lit(-MAX_AREA)}), ${sql.lit(MAX_AREA)})`;

/** One group of one of the groupings in the query. `what` names the grouping and determines which numbers are set. */
interface Row {
  what: "images" | "category" | "maker" | "time" | "size" | "cell";
  key: number | null;
  name: string | null;
  n: number;
  images: number;
  milliseconds: number;
  sized: number;
  area: number;
}

/** Sums a block in one query. Annotations of deleted categories are not counted. */
export async function blockSums(db: Kysely<Schema>, datasetId: number, { from, to }: Block): Promise<Sums> {
  const { rows } = await sql<Row>`
    with i as materialized (
      select id, width, height, annotated, milliseconds from images
      where dataset_id = ${datasetId} and ${isLiveImage()} and id >= ${from} and id < ${to}
    ), a as materialized (
      select a.image_id, a.category_id, a.creator_id, a.creator_name, ${AREA} as area, a.milliseconds, ${CELL} as cell
      from i join annotations a on a.image_id = i.id and a.image_id >= ${from} and a.image_id < ${to} and ${isShown}
      join categories c on c.id = a.category_id and ${isLiveCategory("c")}
    )
    select 'images' as what, null::int as key, null as name, count(*) as n, count(*) filter (where annotated) as images,
      coalesce(sum(milliseconds), 0)::float8 as milliseconds, coalesce(sum(width), 0) as sized,
      coalesce(sum(height), 0)::float8 as area
    from i
    union all
    select 'category', category_id, null, sum(n)::bigint, count(*), sum(milliseconds)::float8, sum(sized)::bigint, sum(area)
    from (
      select category_id, image_id, count(*) as n, sum(milliseconds) as milliseconds,
        count(*) filter (where area > 0) as sized, sum(area) as area
      from a group by 1, 2
    ) per_image group by 2
    union all
    select 'maker', creator_id, max(name), sum(n)::bigint, count(*), 0, 0, 0
    from (
      select creator_id, case when creator_id is null then creator_name end as gone, image_id, count(*) as n,
        max(creator_name) as name
      from a group by 1, 2, 3
    ) per_image group by 2, gone
    union all
    select 'size', width_bucket(area, ${SIZE_EDGES}::float8[]), null, count(*), 0, 0, 0, 0
    from a where area > 0 group by 2
    union all
    select 'cell', cell, null, count(*), 0, 0, 0, 0 from a where cell is not null group by 2
    union all
    select 'time', w.user_id, null, 0, 0, sum(w.milliseconds)::float8, 0, 0
    from work_sessions w join i on i.id = w.image_id and w.image_id >= ${from} and w.image_id < ${to}
    where w.annotation_uuid is null and w.user_id is not null
    group by 2`.execute(db);
  return sumsOf(rows);
}

/** Returns SQL for one number of the bounding box of `annotations a`. */
const box = (at: number) => sql`(a.bbox ->> ${sql.lit(at)})::float8`;

/** Returns SQL for the column or row (from 0) of the heat map that contains the box's centre, clamped to the border. */
const line = (start: number, size: string) => {
  const share = sql`(${box(start)} + ${box(start + 2)} / 2) / ${sql.ref(size)}`;
  return sql`least(${sql.lit(HEAT_SIDE - 1)}, greatest(0, floor(${share} * ${sql.lit(HEAT_SIDE)})))::int`;
};

/** Index of the heat map's cell; null without a box. */
const CELL = sql`case when a.bbox <> '[0, 0, 0, 0]'
  then ${line(1, "i.height")} * ${sql.lit(HEAT_SIDE)} + ${line(0, "i.width")} end`;

function sumsOf(rows: readonly Row[]): Sums {
  const sums = noSums();
  for (const row of rows) addRow(sums, row);
  return sums;
}

function addRow(sums: Sums, { what, key, name, n, images, milliseconds, sized, area }: Row): void {
  if (what === "images")
    Object.assign(sums, { images: n, annotatedImages: images, milliseconds, width: sized, height: area });
  else if (what === "maker") addMaker(sums, key, name ?? "", { annotations: n, images });
  else if (key === null) return;
  else if (what === "category") sums.categories.set(key, { annotations: n, images, milliseconds, sized, area });
  else if (what === "time") sums.times.set(key, milliseconds);
  else if (what === "size") sums.sizes[key] = n;
  else sums.positions[key] = n;
}

function addMaker(sums: Sums, id: number | null, name: string, made: MakerSums): void {
  sums.makers.set(id ?? name, made);
  if (id !== null) sums.names.set(id, name);
}
