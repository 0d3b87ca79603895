import { type Kysely, type RawBuilder, sql } from "kysely";
import { preparedStatement } from "../../db/preparedStatements";
import type { AnnotationRow, Schema } from "../../db/schema";
import { splitIntoPages } from "../annotations/rows/splitIntoPages";
import { PAGE, type SceneHead } from "./readHead";
import { isInScene, type RingsRow, ringsPage, ringsRows, versionText } from "./ringsPage";

/** An annotation for older clients, and its `versionText`. The shape is JSON. */
export type PaperRow = Omit<AnnotationRow, "shape"> & { shape: string | null; version: string };

/** Reads the annotations for Limn's own client, unless the head contains them. */
export async function readRingsRows(db: Kysely<Schema>, head: SceneHead): Promise<RingsRow[]> {
  if (typeof head.page === "string") return ringsRows(head.page);
  return readPages(db, head, async (condition) => {
    const { rows } = await sql<{ page: string }>`
      select ${ringsPage} as page from annotations
      where ${isInScene(head.image.id)} ${condition} ${preparedStatement}`.execute(db);
    return ringsRows(rows[0]?.page ?? "");
  });
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
