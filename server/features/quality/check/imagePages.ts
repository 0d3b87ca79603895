import { type Kysely, sql } from "kysely";
import { isLiveImage } from "../../../db/rows/images";
import type { ImageRow, Schema } from "../../../db/schema";

/** An image with what the last check read of it. */
export type StoredImage = Pick<
  ImageRow,
  "id" | "path" | "mime" | "hash" | "width" | "height" | "orientation" | "revision" | "num_annotations"
> & {
  /** True if the file was read, and has not changed since. */
  isRead: boolean;
  /** True if the annotations were checked by the present rules, and have not changed since. */
  isChecked: boolean;
};

const PAGE = 200;
/** Number of annotations that are read at once, unless one image has more. */
const MOST_ANNOTATIONS = 2_000;

/** Yields a dataset's images in ascending order of ids, in pieces with a bounded number of annotations. */
export async function* imagePieces(
  db: Kysely<Schema>,
  datasetId: number,
  rules: number,
): AsyncGenerator<StoredImage[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<StoredImage>`
      select i.id, i.path, i.mime, i.hash, i.width, i.height, i.orientation, i.revision, i.num_annotations,
        coalesce(q.hash = i.hash and q.problem is null, false) as "isRead",
        coalesce(q.revision = i.revision and q.rules = ${rules}::integer, false) as "isChecked"
      from images i left join quality_images q on q.image_id = i.id
      where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")} and i.id > ${last}::integer
      order by i.id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    yield* pieces(rows);
  }
}

function* pieces(rows: readonly StoredImage[]): Generator<StoredImage[]> {
  let piece: StoredImage[] = [];
  let count = 0;
  for (const row of rows) {
    if (piece.length > 0 && count + row.num_annotations > MOST_ANNOTATIONS) {
      yield piece;
      piece = [];
      count = 0;
    }
    piece.push(row);
    count += row.num_annotations;
  }
  if (piece.length > 0) yield piece;
}
