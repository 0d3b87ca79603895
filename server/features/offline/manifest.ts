import { type Kysely, sql } from "kysely";
import type { ManifestImage } from "../../../shared/api/offline";
import type { Json, Metadata } from "../../../shared/entities/scalars";
import { notFound } from "../../base/errors";
import { type CurrentUser, datasetPermissions } from "../../base/permissions";
import { isLiveCategory } from "../../db/rows/categories";
import { isLiveImage } from "../../db/rows/images";
import type { ImageRow, Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { datasetDocument, datasetsWithNames, tiesOf } from "../datasets/datasetDocument";
import { type ImportedExtras, loadImportedExtras } from "../exports/coco/importedExtras";
import { categoryIdsOf, sceneCategory } from "../scene/frame";
import type { SceneCategoryRow } from "../scene/readHead";

/** Number of images read by one query. */
const PAGE_ROWS = 1000;

type Row = Pick<
  ImageRow,
  | "id"
  | "file_name"
  | "path"
  | "width"
  | "height"
  | "annotated"
  | "num_annotations"
  | "done"
  | "stage"
  | "open_threads"
  | "labels"
  | "categories"
  | "revision"
  | "bytes"
  | "hash"
> & { assignee: string | null };

type Category = SceneCategoryRow & { deleted: boolean };

const NO_EXTRAS: ImportedExtras = { licenses: [], categories: new Map() };

/**
 * Returns the JSON of a dataset's manifest in pieces, read page by page. Each image is as it was when its page was
 * read, and every category that its images name is described. Throws 404 if the user cannot see the dataset.
 */
export async function manifest(
  db: Kysely<Schema>,
  user: CurrentUser,
  datasetId: number,
): Promise<AsyncGenerator<string>> {
  const row = await datasetsWithNames(db, user).where("datasets.id", "=", datasetId).executeTakeFirst();
  if (!row) throw notFound("Invalid dataset id");
  const preferences = await preferencesOf(db, user);
  const permissions = datasetPermissions(user, tiesOf(row));
  const extras = permissions.download ? await loadImportedExtras(db, datasetId) : NO_EXTRAS;
  const licenses = extras.licenses.length > 0 && { licenses: extras.licenses };
  const dataset = { ...datasetDocument(row), permissions, ...licenses };
  return pieces(db, user, datasetId, { head: JSON.stringify({ dataset, preferences }), extras: extras.categories });
}

async function* pieces(
  db: Kysely<Schema>,
  user: CurrentUser,
  datasetId: number,
  { head, extras }: { head: string; extras: ImportedExtras["categories"] },
): AsyncGenerator<string> {
  yield `${head.slice(0, -1)},"images":[`;
  const labels = new Set<number>();
  const used = new Set<number>();
  const pause = makePause();
  let isFirst = true;
  for await (const page of imagePages(db, datasetId)) {
    for (const row of page) {
      for (const id of row.labels) labels.add(id);
      for (const id of row.categories) used.add(id);
    }
    const json = JSON.stringify(page.map(manifestImage));
    yield `${isFirst ? "" : ","}${json.slice(1, -1)}`;
    isFirst = false;
    await pause();
  }
  const rows = await categoriesOf(db, datasetId, [...labels], [...used]);
  const categories = rows.map((row) => manifestCategory(user, row, extras.get(row.id)));
  yield `],"categories":${JSON.stringify(categories)}}`;
}

const manifestCategory = (user: CurrentUser, row: Category, extra: { [key: string]: Json } | undefined) => ({
  ...sceneCategory(user, row),
  ...(row.deleted && { deleted: true }),
  ...(extra && { extra }),
});

async function* imagePages(db: Kysely<Schema>, datasetId: number): AsyncGenerator<Row[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`
      select id, file_name, path, width, height, annotated, num_annotations, done, stage, open_threads, labels, categories,
        revision, bytes, hash,
        case when assignee_id is not null then (select username from users where users.id = assignee_id) end as assignee
      from images where dataset_id = ${datasetId} and ${isLiveImage()} and id > ${last}
      order by id limit ${PAGE_ROWS}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.id ?? last;
  }
}

const manifestImage = (row: Row): ManifestImage => ({
  id: row.id,
  file_name: row.file_name,
  path: row.path,
  width: row.width,
  height: row.height,
  annotated: row.annotated,
  num_annotations: row.num_annotations,
  done: row.done,
  stage: row.stage,
  ...(row.open_threads > 0 && { open_threads: row.open_threads }),
  category_ids: categoryIdsOf({ labels: row.labels, used: row.categories }),
  revision: row.revision,
  bytes: row.bytes,
  hash: row.hash,
  assignee: row.assignee,
});

/**
 * Returns the categories as scenes contain them: listed and ticked categories that are not deleted, and all used
 * categories.
 */
async function categoriesOf(
  db: Kysely<Schema>,
  datasetId: number,
  labels: readonly number[],
  used: readonly number[],
): Promise<Category[]> {
  const { rows } = await sql<Category>`
    select id, name, supercategory, color, metadata, keypoints, attributes, creator_id, creator_name, revision,
      deleted_at is not null as deleted
    from categories
    where id = any(${used}::int[]) or ${isLiveCategory()} and (id = any(${labels}::int[])
      or id in (select category_id from dataset_categories where dataset_id = ${datasetId}))
    order by id`.execute(db);
  return rows;
}

async function preferencesOf(db: Kysely<Schema>, user: CurrentUser): Promise<Metadata> {
  const row = await db.selectFrom("users").select("preferences").where("id", "=", user.id).executeTakeFirst();
  return row?.preferences ?? {};
}
