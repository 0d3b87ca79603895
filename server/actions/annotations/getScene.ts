import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { AnnotatorData, AnnotatorScene } from "../../../shared/api/annotator";
import type { ImageFilter } from "../../../shared/api/dataset";
import type { Image } from "../../../shared/entities/image";
import { toPaperJson } from "../../../shared/geometry/paperJson";
import { plannedOnce } from "../../db/plannedOnce";
import type { AnnotationRow, CategoryRow, ImageRow, Schema } from "../../db/schema";
import { datasetPermissions, type Person } from "../../permissions";
import { visibleImage } from "../access";
import { categoryDocument, categoryPermissions } from "../categoryDocument";
import { datasetDocument, datasetsWithNames, tiesOf } from "../datasetDocument";
import { neighbours } from "../imageList";
import { annotationDocument } from "./annotationDocument";
import { annotationOf } from "./annotationRow";

/**
 * A picture with all that the annotator shows: its dataset, its neighbours in the list the person came from, and the
 * annotations by category. All but the neighbours is read at one moment. Throws 404 for a picture that the person does
 * not see.
 */
export async function getScene(db: Kysely<Schema>, person: Person, imageId: number, walk: ImageFilter) {
  const start = performance.now();
  const { image, dataset, preferences, annotations, categories } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => readScene(trx, person, imageId));
  const permissions = datasetPermissions(person, tiesOf(dataset));
  const common = {
    image: { ...imageDocument(image, annotations), labels: ticked(image), ...(await neighbours(db, image, walk)) },
    dataset: datasetDocument(dataset),
    preferences,
    permissions: { dataset: permissions, image: { delete: permissions.delete, download: permissions.download } },
    time_ms: 0,
  };
  const grouped = groupByCategory(annotations, categories);
  const timed = <T>(scene: T) => ({ ...scene, time_ms: Math.round(performance.now() - start) });
  return {
    /** For our own client. */
    rings: (): AnnotatorScene =>
      timed({
        ...common,
        categories: grouped.map(([row, rows]) => ({
          ...categoryDocument(row),
          keypoint_removed: row.keypoints.removed,
          permissions: categoryPermissions(person, row),
          annotations: rows.map(annotationOf),
        })),
      }),
    /** For older clients: with paper.js's JSON of each shape, its origin in the middle of the picture. */
    paper: (): AnnotatorData =>
      timed({
        ...common,
        categories: grouped.map(([row, rows]) => ({
          ...categoryDocument(row),
          show: true,
          visualize: false,
          annotations: rows.map((annotation) => withPaper(annotation, image, row)),
        })),
      }),
  };
}

async function readScene(trx: Kysely<Schema>, person: Person, imageId: number) {
  const { image } = await visibleImage(trx, person, imageId);
  const dataset = await datasetsWithNames(trx, person)
    .where("datasets.id", "=", image.dataset_id)
    .modifyEnd(plannedOnce)
    .executeTakeFirstOrThrow();
  const user = await trx.selectFrom("users").select("preferences").where("id", "=", person.id).executeTakeFirst();
  const annotations = await trx
    .selectFrom("annotations")
    .selectAll()
    .where("image_id", "=", image.id)
    .where("deleted_at", "is", null)
    .where("visible", "=", true)
    .orderBy("id")
    .execute();
  const needed = [...dataset.categories, ...categoriesOf(annotations)];
  const categories = await trx
    .selectFrom("categories")
    .selectAll()
    .where(({ or, and, eb }) =>
      or([
        eb("id", "=", sql<number>`any(${needed}::int[])`),
        // Ticked before the dataset ceased to list it: it can be seen, so that it can be unticked.
        and([eb("id", "=", sql<number>`any(${image.labels}::int[])`), eb("deleted_at", "is", null)]),
      ]),
    )
    .orderBy("id")
    .execute();
  return { image, dataset, preferences: user?.preferences ?? {}, annotations, categories };
}

const categoriesOf = (annotations: readonly AnnotationRow[]): number[] => [
  ...new Set(annotations.map((row) => row.category_id)),
];

const ticked = ({ labels }: ImageRow): number[] => [...labels].sort((a, b) => a - b);

/** `category_ids` is the union of the ticked labels and the categories that have annotations. */
export function imageDocument(image: ImageRow, annotations: readonly AnnotationRow[]): Image {
  const { id, file_name, path, width, height, annotated, num_annotations, dataset_id, metadata } = image;
  const category_ids = [...new Set([...image.labels, ...categoriesOf(annotations)])].sort((a, b) => a - b);
  const { revision, milliseconds, done } = image;
  return {
    ...{ id, file_name, path, width, height, annotating: [], annotated, num_annotations, dataset_id },
    ...{ category_ids, metadata, revision, milliseconds, done },
  };
}

function groupByCategory(annotations: readonly AnnotationRow[], categories: readonly CategoryRow[]) {
  const groups = new Map(categories.map((row) => [row.id, [row, [] as AnnotationRow[]] as const]));
  for (const row of annotations) groups.get(row.category_id)?.[1].push(row);
  return [...groups.values()];
}

function withPaper(row: AnnotationRow, image: ImageRow, category: CategoryRow) {
  const document = annotationDocument(row, image, category.keypoints);
  const { rings, color } = document;
  const paper = rings.length === 0 ? [] : toPaperJson(rings, image.width, image.height, { color });
  return { ...document, paper_object: paper as AnnotatorData["categories"][0]["annotations"][0]["paper_object"] };
}
