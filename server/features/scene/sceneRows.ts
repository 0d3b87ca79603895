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

export function readRingsRows(db: Kysely<Schema>, head: SceneHead): Promise<RingsRow[]> {
  const columns = sql`
    id, uuid, category_id, revision, shape::text as shape, area, bbox::text as bbox, iscrowd, isbbox, color,
    metadata::text as metadata, attributes::text as attributes, keypoints::text as keypoints, creator_name`;
  return readRows<RingsRow>(db, head, columns);
}

export function readPaperRows(db: Kysely<Schema>, head: SceneHead): Promise<PaperRow[]> {
  const columns = sql`
    id, uuid, image_id, category_id, shape::text as shape, area, bbox, iscrowd, isbbox, color, metadata,
    attributes, keypoints, extra, creator_id, creator_name, milliseconds, revision, import_id, import_item, import_revision, visible,
    created_at, deleted_at, deleted_by`;
  return readRows<PaperRow>(db, head, columns);
}

/** Reads the annotations of a scene in order of id, in one statement or, if their shapes are long, in several. */
async function readRows<Row>(
  db: Kysely<Schema>,
  { image, bytes }: SceneHead,
  columns: RawBuilder<unknown>,
): Promise<Row[]> {
  const read = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<Row>`
      select ${columns}, ${versionText} as version from annotations
      where ${isInScene(image.id)} ${condition} order by id ${preparedStatement}`.execute(db);
    return rows;
  };
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
