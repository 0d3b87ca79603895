import { type Kysely, sql } from "kysely";
import type { Bbox } from "../../../../shared/entities/shape";
import { CategorySizes } from "../../../../shared/quality/categoryOutliers";
import type { Finding } from "../../../../shared/quality/finding";
import { findMissingPoints, type Posed } from "../../../../shared/quality/missingPoints";
import { findRareCategories } from "../../../../shared/quality/rareCategories";
import { isShown } from "../../../db/rows/annotations";
import { isLiveCategory } from "../../../db/rows/categories";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";

const PAGE = 5_000;

interface Line {
  id: number;
  image_id: number;
  category_id: number;
  bbox: Bbox;
  iscrowd: boolean;
  width: number;
  height: number;
  labels: number[] | null;
}

interface CategoryLine {
  id: number;
  labels: number[];
}

/** Compares the annotations of each category, whole or not. Returns the findings and the number of annotations. */
export async function checkCategories(
  db: Kysely<Schema>,
  datasetId: number,
  signal: AbortSignal,
): Promise<{ findings: Finding[]; annotations: number }> {
  const categories = await readCategories(db, datasetId);
  const sizes = new Map<number, CategorySizes>();
  const counts = new Map(categories.map(({ id }) => [id, 0]));
  const posed = new Map<number, Posed[]>();
  const lists = new Map<string, number[]>();
  let annotations = 0;
  for await (const line of lines(db, datasetId)) {
    signal.throwIfAborted();
    annotations++;
    const { id, image_id: image, category_id: category, bbox, iscrowd, labels } = line;
    counts.set(category, (counts.get(category) ?? 0) + 1);
    if (iscrowd) continue;
    entry(sizes, category, () => new CategorySizes()).add(id, image, bbox, line);
    if (!labels || labels.length === 0) continue;
    // Equal lists are kept once.
    const own = entry(lists, labels.join(" "), () => labels);
    entry(posed, category, () => []).push({ id, image, labels: own });
  }
  const findings = findRareCategories(counts);
  for (const [category, all] of sizes) findings.push(...all.find(category));
  for (const { id, labels } of categories) findings.push(...findMissingPoints(id, labels, posed.get(id) ?? []));
  return { findings, annotations };
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

async function readCategories(db: Kysely<Schema>, datasetId: number): Promise<CategoryLine[]> {
  const { rows } = await sql<CategoryLine>`
    select id, array(select (label ->> 'id')::integer from jsonb_array_elements(keypoints -> 'labels') as label) as labels
    from categories join dataset_categories on category_id = id
    where dataset_id = ${datasetId}::integer and ${isLiveCategory()} order by id`.execute(db);
  return rows;
}

async function* lines(db: Kysely<Schema>, datasetId: number): AsyncGenerator<Line> {
  for (let [image, annotation] = [0, 0]; ; ) {
    const { rows } = await sql<Line>`
      select a.id, a.image_id, a.category_id, a.bbox, a.iscrowd, i.width, i.height,
        case when a.keypoints is not null then array(select (point ->> 'label')::integer
          from jsonb_array_elements(a.keypoints) as point where (point ->> 'v')::integer > 0 order by 1) end as labels
      from images i join annotations a on a.image_id = i.id
      where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")} and ${isShown}
        and i.id >= ${image}::integer and (a.image_id, a.id) > (${image}::integer, ${annotation}::integer)
      order by a.image_id, a.id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    yield* rows;
    ({ image_id: image, id: annotation } = rows.at(-1)!);
  }
}
