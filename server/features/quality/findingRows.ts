import { type Kysely, sql } from "kysely";
import type { Finding, FindingKind } from "../../../shared/quality/finding";
import type { Schema } from "../../db/schema";

/** Rows of one insert. */
const BATCH = 1_000;

/**
 * Returns the name of a finding within its kind, under which a user ignores it: it is the same in every check, as long
 * as it is about the same images and annotations.
 */
function keyOf({ annotation, otherAnnotation, image, otherImage, category }: Finding): string {
  const ids = annotation
    ? ["a", annotation, otherAnnotation]
    : image
      ? ["i", image, otherImage]
      : ["c", category, undefined];
  const [letter, first, second] = ids;
  return `${letter}${first}${second === undefined ? "" : `-${second}`}`;
}

export async function insertFindings(
  db: Kysely<Schema>,
  datasetId: number,
  findings: readonly Finding[],
): Promise<void> {
  for (let from = 0; from < findings.length; from += BATCH) {
    const rows = findings.slice(from, from + BATCH).map((finding) => ({
      kind: finding.kind,
      key: keyOf(finding),
      image_id: finding.image ?? null,
      annotation_id: finding.annotation ?? null,
      revision: finding.revision ?? null,
      other_image_id: finding.otherImage ?? null,
      other_annotation_id: finding.otherAnnotation ?? null,
      category_id: finding.category ?? null,
      score: finding.score,
      details: finding.details,
    }));
    await sql`
      insert into quality_findings (dataset_id, kind, key, image_id, annotation_id, revision, other_image_id,
        other_annotation_id, category_id, score, details)
      select ${datasetId}::integer, x.kind, x.key, x.image_id, x.annotation_id, x.revision,
        x.other_image_id, x.other_annotation_id, x.category_id, x.score, x.details
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(kind text, key text, image_id integer,
        annotation_id integer, revision integer, other_image_id integer, other_annotation_id integer,
        category_id integer, score double precision, details jsonb)
      order by x.score desc`.execute(db);
  }
}

/** Deletes the findings of these kinds that are about these images. */
export async function deleteFindingsOfImages(
  db: Kysely<Schema>,
  kinds: readonly FindingKind[],
  images: readonly number[],
): Promise<void> {
  await sql`delete from quality_findings
    where image_id = any(${images}::integer[]) and kind = any(${kinds}::text[])`.execute(db);
}

/** Deletes a dataset's findings of these kinds. */
export async function deleteFindingsOfDataset(
  db: Kysely<Schema>,
  kinds: readonly FindingKind[],
  datasetId: number,
): Promise<void> {
  await sql`delete from quality_findings
    where dataset_id = ${datasetId}::integer and kind = any(${kinds}::text[])`.execute(db);
}
