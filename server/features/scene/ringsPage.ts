import { sql } from "kysely";
import { isLiveAnnotation } from "../../db/rows/annotations";
import type { AnnotationTextRow } from "./annotationText";

/** Condition on `annotations`: those in the scene of an image. */
export const isInScene = (imageId: number) => sql<boolean>`image_id = ${imageId}::integer and ${isLiveAnnotation()}`;

/**
 * Text that identifies one stored state of an annotation. Any write changes it, since xmin is the number of the writing
 * transaction.
 */
export const versionText = sql<string>`id || ':' || revision || ':' || xmin`;

/** An annotation for Limn's own client, and its `versionText`. */
export type RingsRow = AnnotationTextRow & { version: string };

/**
 * Characters that end a field and a row in the text of a page. Neither JSON nor numbers contain them. A field that is
 * null is empty.
 */
const FIELD = "\u001f";
const ROW = "\u001e";

/**
 * Expression on `annotations` that joins the selected rows to one text, which is empty without rows: PGlite takes a few
 * microseconds for each value that a statement returns, which is most of the time with 50,000 annotations of 15 values.
 */
export const ringsPage = sql<string>`coalesce(string_agg(concat_ws(${FIELD}::text,
    id, uuid, category_id, revision, area, bbox, iscrowd, isbbox, color, metadata, coalesce(attributes::text, ''),
    coalesce(keypoints::text, ''), to_json(creator_name), ${versionText}, coalesce(shape::text, '')),
  ${ROW}::text order by id), '')`;

/** Returns the rows in a `ringsPage`. */
export const ringsRows = (page: string): RingsRow[] => (page === "" ? [] : page.split(ROW).map(ringsRow));

function ringsRow(text: string): RingsRow {
  const [id, uuid, category, revision, area, bbox, iscrowd, isbbox, color, metadata, ...more] = text.split(FIELD);
  const [attributes, keypoints, creator, version, shape] = more;
  return {
    id: Number(id),
    uuid: uuid!,
    category_id: Number(category),
    revision: Number(revision),
    shape: shape || null,
    area: Number(area),
    bbox: bbox!,
    iscrowd: iscrowd === "t",
    isbbox: isbbox === "t",
    color: color!,
    metadata: metadata!,
    attributes: attributes || null,
    keypoints: keypoints || null,
    creator_name: JSON.parse(creator!) as string,
    version: version!,
  };
}
