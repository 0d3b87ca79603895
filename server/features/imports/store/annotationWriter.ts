import { type Kysely, sql } from "kysely";
import { codeOf } from "../../../base/errors";
import type { CurrentUser } from "../../../base/permissions";
import type { Schema } from "../../../db/schema";
import { annotationInserter, type NewRow } from "./insertAnnotations";

/** Destination of a file's annotations: an import's invisible rows, or nothing in a dry run. */
export interface AnnotationWriter {
  /** Returns the highest item number stored by an earlier attempt; -1 if there is none. */
  last(): Promise<number>;
  /** Returns which of the items are stored. */
  stored(items: readonly number[]): Promise<Set<number | null>>;
  /** Stores rows, except those whose image was permanently deleted since the file was read, and returns these. */
  store(rows: readonly NewRow[]): Promise<readonly NewRow[]>;
  /** Returns the number of annotations stored by all attempts. */
  count(): Promise<number>;
}

/** Returns a writer that stores annotations as invisible rows of an import. */
export function annotationsInto(db: Kysely<Schema>, importId: number, user: CurrentUser): AnnotationWriter {
  const own = () => db.selectFrom("annotations").where("import_id", "=", importId);
  const insert = annotationInserter(db, importId, user);
  return {
    async last() {
      const { last } = await own()
        .select((eb) => eb.fn.max("import_item").as("last"))
        .executeTakeFirstOrThrow();
      return last ?? -1;
    },
    async stored(items) {
      if (items.length === 0) return new Set();
      const rows = await own()
        .select("import_item")
        .where("import_item", "=", sql<number>`any(${items}::int[])`)
        .execute();
      return new Set(rows.map((row) => row.import_item));
    },
    async store(rows) {
      try {
        await insert(rows);
        return [];
      } catch (error) {
        if (codeOf(error) !== "23503") throw error;
        const { placed, lost } = await withImages(db, rows);
        if (lost.length === 0) throw error;
        return [...lost, ...(await this.store(placed))];
      }
    },
    async count() {
      const { total } = await own()
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return total;
    },
  };
}

async function withImages(db: Kysely<Schema>, rows: readonly NewRow[]) {
  const ids = [...new Set(rows.map(({ annotation }) => annotation.image_id))];
  const images = await db.selectFrom("images").select("id").where("id", "=", sql<number>`any(${ids}::int[])`).execute();
  const there = new Set(images.map(({ id }) => id));
  const isPlaced = ({ annotation }: NewRow) => there.has(annotation.image_id);
  return { placed: rows.filter(isPlaced), lost: rows.filter((row) => !isPlaced(row)) };
}

/** Returns a writer for dry runs, which only counts. */
export function annotationsNowhere(): AnnotationWriter {
  let count = 0;
  return {
    last: async () => -1,
    stored: async () => new Set(),
    store: async (rows) => {
      count += rows.length;
      return [];
    },
    count: async () => count,
  };
}
