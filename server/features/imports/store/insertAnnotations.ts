import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../../base/permissions";
import { Pace } from "../../../db/pace";
import type { Schema } from "../../../db/schema";
import type { ImportedAnnotation } from "../read/readAnnotation";

/** A row to be stored; `item` is its place in the file. */
export interface NewRow {
  item: number;
  annotation: ImportedAnnotation;
}

/** Rows and characters of JSON that are handed over at once. */
export const BATCH_ROWS = 500;
export const BATCH_LENGTH = 1_000_000;

/** A row takes as long as so many characters of a shape. */
const ROW_LENGTH = 500;
const lengths = { first: 150_000, least: 100_000, most: BATCH_LENGTH };

const COLUMNS = `image_id, category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra, import_item`;

/** Stores an import's annotations. */
export type Insert = (rows: readonly NewRow[]) => Promise<void>;

/**
 * Returns how to store annotations of an import, invisible, some in each statement. Items that the import stored before
 * are left as they are, so that a batch may come again after a kill.
 */
export function annotationInserter(db: Kysely<Schema>, importId: number, { id, username }: CurrentUser): Insert {
  const pace = new Pace(lengths);
  return async (rows) => {
    const texts = rows.map(jsonOf);
    for (let from = 0; from < texts.length; ) {
      const [slice, length] = sliceOf(texts, from, pace.amount);
      from += slice.length;
      await pace.run(db, length, (one) => insert(one, `[${slice.join(",")}]`));
    }
  };

  async function insert(one: Kysely<Schema>, json: string): Promise<void> {
    await sql`
      insert into annotations (${sql.raw(COLUMNS)}, import_id, creator_id, creator_name, visible)
      select ${sql.raw(COLUMNS)}, ${importId}::int, ${id}::int, ${username}::text, false
      from json_to_recordset(${json}::json) as x(image_id int, category_id int, shape json, area double precision,
        bbox jsonb, iscrowd boolean, isbbox boolean, color text, metadata jsonb, keypoints jsonb, extra jsonb,
        import_item int)
      on conflict (import_id, import_item) do nothing`.execute(one);
  }
}

const jsonOf = ({ item, annotation }: NewRow): string => JSON.stringify({ ...annotation, import_item: item });

/** Texts from a place on that together have about this length, at least one, and their length. */
function sliceOf(texts: readonly string[], from: number, most: number): [slice: string[], length: number] {
  let end = from;
  let length = 0;
  for (; end < texts.length; end++) {
    const more = ROW_LENGTH + texts[end]!.length;
    if (end > from && length + more > most) break;
    length += more;
  }
  return [texts.slice(from, end), length];
}
