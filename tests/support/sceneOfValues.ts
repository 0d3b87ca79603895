import type { Kysely } from "kysely";
import { sql } from "kysely";
import { type CurrentUser, datasetPermissions } from "../../server/base/permissions";
import type { AnnotationRow, ImageRow, Schema } from "../../server/db/schema";
import { annotationDocument } from "../../server/features/annotations/rows/annotationDocument";
import { annotationOf } from "../../server/features/annotations/rows/annotationRow";
import { categoryDocument, categoryPermissions } from "../../server/features/categories/categoryDocument";
import { datasetDocument, datasetsWithNames, tiesOf } from "../../server/features/datasets/datasetDocument";
import { imageDocument, imagesWithCategories } from "../../server/features/images/imageDocument";
import type { Neighbours } from "../../server/features/images/imageList";
import { toPaperJson } from "../../shared/geometry/paperJson";

/**
 * Returns the annotator's scene built from parsed values, table by table, for comparison with the server's, which is
 * assembled from stored text.
 */
export async function sceneOfValues(
  db: Kysely<Schema>,
  caller: CurrentUser,
  imageId: number,
  shape: "rings" | "paper",
  around: Neighbours,
) {
  const row = await imagesWithCategories(db).where("id", "=", imageId).executeTakeFirstOrThrow();
  const { category_ids, ...image } = imageDocument(row);
  const dataset = await datasetsWithNames(db, caller)
    .where("datasets.id", "=", row.dataset_id)
    .executeTakeFirstOrThrow();
  const user = await db.selectFrom("users").selectAll().where("id", "=", caller.id).executeTakeFirstOrThrow();
  const all = await db.selectFrom("annotations").selectAll().where("image_id", "=", imageId).orderBy("id").execute();
  const annotations = all.filter(({ deleted_at, visible }) => deleted_at === null && visible);
  const deleted = runsOf(all.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id));
  const used = annotations.map(({ category_id }) => category_id);
  const listed = await sql<{ id: number }>`
    select id from categories where id = any(${[...dataset.categories, ...used]}::int[])
      or (id = any(${row.labels}::int[]) and deleted_at is null) order by id`.execute(db);
  const categories = await db
    .selectFrom("categories")
    .selectAll()
    .where("id", "in", [0, ...listed.rows.map(({ id }) => id)])
    .orderBy("id")
    .execute();
  const rights = datasetPermissions(caller, tiesOf(dataset));
  return {
    image: {
      ...pick(image, ["id", "file_name", "path", "width", "height"]),
      ...pick(image, ["annotated", "num_annotations", "dataset_id"]),
      category_ids,
      ...pick(image, ["metadata", "revision", "milliseconds", "done", "stage", "returned_by", "returned_at"]),
      labels: row.labels.toSorted((a, b) => a - b),
      annotating: [],
      ...around,
    },
    dataset: datasetDocument(dataset),
    preferences: user.preferences,
    ...(shape === "rings" && deleted.length > 0 && { deleted }),
    permissions: { dataset: rights, image: { delete: rights.delete, download: rights.download } },
    time_ms: 0,
    categories: categories.map((category) => {
      const mine = annotations.filter(({ category_id }) => category_id === category.id);
      if (shape === "rings")
        return {
          ...categoryDocument(category),
          keypoint_removed: category.keypoints.removed,
          permissions: categoryPermissions(caller, category),
          annotations: mine.map(annotationOf),
        };
      return {
        ...categoryDocument(category),
        show: true,
        visualize: false,
        // The original client would delete annotations sent to it as empty.
        annotations: mine
          .map((annotation) => withPaper(annotation, row, annotationDocument(annotation, row, category.keypoints)))
          .filter(({ rings, keypoints }) => rings.flat(2).length > 0 || keypoints.some((value) => value !== 0)),
      };
    }),
  };
}

function withPaper(row: AnnotationRow, { width, height }: ImageRow, document: ReturnType<typeof annotationDocument>) {
  const { rings } = document;
  return { ...document, paper_object: rings.length === 0 ? [] : toPaperJson(rings, width, height, row) };
}

function pick<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}

/** Returns the first id and the length of each run of consecutive ids. */
function runsOf(ids: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === id) last[1]++;
    else runs.push([id, 1]);
  }
  return runs;
}
