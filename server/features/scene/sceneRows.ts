import { type Kysely, type RawBuilder, sql } from "kysely";
import { preparedStatement } from "../../db/preparedStatements";
import type { AnnotationRow, Schema } from "../../db/schema";
import { splitIntoPages } from "../annotations/rows/splitIntoPages";
import type { AnnotationTextRow } from "./annotationText";
import { isInScene, type SceneHead, versionText } from "./readHead";

/** An annotation for Limn's own client, and its `versionText`. */
export type RingsRow = AnnotationTextRow & { version: string };

/** An annotation for older clients, and its `versionText`. The shape is JSON. */
export type PaperRow = Omit<AnnotationRow, "shape"> & { shape: string | null; version: string };

/** Limits of one statement. The embedded database never returns the memory of its longest result. */
const PAGE = { pageRows: 1_000, pageBytes: 2_000_000 };

/**
 * Characters that end a field and a row in the text of a page. Neither JSON nor numbers contain them. A field that is null
 * is empty.
 */
const FIELD = "\u001f";
const ROW = "\u001e";

/**
 * Reads the rows of a page as one text: PGlite takes a few microseconds for each value that a statement returns, which
 * is most of the time with 50,000 annotations of 15 values.
 */
export function readRingsRows(db: Kysely<Schema>, head: SceneHead): Promise<RingsRow[]> {
  const fields = sql`
    id, uuid, category_id, revision, area, bbox, iscrowd, isbbox, color, metadata, coalesce(attributes::text, ''),
    coalesce(keypoints::text, ''), to_json(creator_name), ${versionText}, coalesce(shape::text, '')`;
  return readPages(db, head, async (condition) => {
    const { rows } = await sql<{ page: string | null }>`
      select string_agg(concat_ws(${FIELD}::text, ${fields}), ${ROW}::text order by id) as page from annotations
      where ${isInScene(head.image.id)} ${condition} ${preparedStatement}`.execute(db);
    const page = rows[0]?.page;
    return page ? page.split(ROW).map(ringsRow) : [];
  });
}

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

export function readPaperRows(db: Kysely<Schema>, head: SceneHead): Promise<PaperRow[]> {
  const columns = sql`
    id, uuid, image_id, category_id, shape::text as shape, area, bbox, iscrowd, isbbox, color, metadata,
    attributes, keypoints, extra, creator_id, creator_name, milliseconds, revision, import_id, import_item, import_revision, visible,
    created_at, deleted_at, deleted_by`;
  return readPages(db, head, async (condition) => {
    const { rows } = await sql<PaperRow>`
      select ${columns}, ${versionText} as version from annotations
      where ${isInScene(head.image.id)} ${condition} order by id ${preparedStatement}`.execute(db);
    return rows;
  });
}

/** Reads the annotations of a scene in order of id, in one statement or, if their shapes are long, in several. */
async function readPages<Row>(
  db: Kysely<Schema>,
  { image, bytes }: SceneHead,
  read: (condition: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<Row[]> {
  if (bytes <= PAGE.pageBytes) return read(sql``);
  const lengths = await sql<{ id: number; bytes: number }>`
    select id, coalesce(pg_column_size(shape), 0) as bytes from annotations
    where ${isInScene(image.id)} order by id`.execute(db);
  const rows: Row[] = [];
  for (const ids of splitIntoPages(lengths.rows, PAGE)) {
    const page = await read(sql`and id = any(${ids}::int[])`);
    for (const row of page) rows.push(row);
  }
  return rows;
}
