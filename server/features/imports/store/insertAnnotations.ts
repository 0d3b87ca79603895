import type { Kysely } from "kysely";
import type { CurrentUser } from "../../../base/permissions";
import { Pace } from "../../../db/pace";
import { insertImportedAnnotations } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import type { ImportedAnnotation } from "../read/readAnnotation";

/** A row to store. `item` is its index in the file. */
export interface NewRow {
  item: number;
  annotation: ImportedAnnotation;
}

/** Maximum rows and JSON characters of a batch. */
export const BATCH_ROWS = 500;
export const BATCH_LENGTH = 1_000_000;

/** Cost of a row, in characters of a shape. */
const ROW_LENGTH = 500;
const lengths = { first: 150_000, least: 100_000, most: BATCH_LENGTH };

/** Function that stores annotations of an import. */
export type Insert = (rows: readonly NewRow[]) => Promise<void>;

/**
 * Returns a function that stores an import's annotations as invisible rows, several per statement. Skips items that the
 * import has stored already, so that a batch can be repeated after a kill.
 */
export function annotationInserter(db: Kysely<Schema>, importId: number, user: CurrentUser): Insert {
  const pace = new Pace(lengths);
  return async (rows) => {
    const texts = rows.map(jsonOf);
    for (let from = 0; from < texts.length; ) {
      const [slice, length] = sliceOf(texts, from, pace.amount);
      from += slice.length;
      await pace.run(db, length, (one) => insertImportedAnnotations(one, importId, user, `[${slice.join(",")}]`));
    }
  };
}

const jsonOf = ({ item, annotation }: NewRow): string => JSON.stringify({ ...annotation, import_item: item });

/** Returns texts from index `from`, at least one and at most `most` characters in total, with their length. */
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
