import { type Kysely, sql } from "kysely";
import type { Finding } from "../../../../shared/quality/finding";
import { isShown } from "../../../db/rows/annotations";
import { isLiveCategory } from "../../../db/rows/categories";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import type { AnnotationLine, CategoryLine } from "./compare/rowsCompared";
import { compareInThread } from "./compareInThread";

/** Number of rows read at once, so that reading them hardly delays the server's other work. */
const PAGE = 2_000;

/** Compares the annotations of each category, whole or not. Returns the findings and the number of annotations. */
export async function checkCategories(
  db: Kysely<Schema>,
  datasetId: number,
  signal: AbortSignal,
): Promise<{ findings: Finding[]; annotations: number }> {
  let annotations = 0;
  async function* counted() {
    for await (const page of pages(db, datasetId)) {
      annotations += page.length;
      yield page;
    }
  }
  const categories = await readCategories(db, datasetId);
  const findings = await compareInThread("annotations", counted(), signal, categories);
  return { findings, annotations };
}

async function readCategories(db: Kysely<Schema>, datasetId: number): Promise<CategoryLine[]> {
  const { rows } = await sql<CategoryLine>`
    select id, array(select (label ->> 'id')::integer from jsonb_array_elements(keypoints -> 'labels') as label) as labels
    from categories join dataset_categories on category_id = id
    where dataset_id = ${datasetId}::integer and ${isLiveCategory()} order by id`.execute(db);
  return rows;
}

async function* pages(db: Kysely<Schema>, datasetId: number): AsyncGenerator<AnnotationLine[]> {
  for (let [image, annotation] = [0, 0]; ; ) {
    const { rows } = await sql<AnnotationLine>`
      select a.id, a.revision, a.image_id, a.category_id, a.bbox, a.iscrowd, i.width, i.height,
        case when a.keypoints is not null then array(select (point ->> 'label')::integer
          from jsonb_array_elements(a.keypoints) as point where (point ->> 'v')::integer > 0 order by 1) end as labels
      from images i join annotations a on a.image_id = i.id
      where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")} and ${isShown}
        and i.id >= ${image}::integer and (a.image_id, a.id) > (${image}::integer, ${annotation}::integer)
      order by a.image_id, a.id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    ({ image_id: image, id: annotation } = rows.at(-1)!);
  }
}
