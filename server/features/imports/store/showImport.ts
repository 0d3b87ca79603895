import { type Kysely, sql, type Transaction } from "kysely";
import { analyzeAnnotations } from "../../../db/analyze";
import { Pace } from "../../../db/pace";
import { isLiveAnnotation } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { Live } from "../../../live/live";
import { type CountedImage, groupsOf, PAGE_ROWS } from "../../annotations/rows/annotationPages";
import { recountImages } from "../../annotations/rows/recountImages";
import { invalidateCachedFigures } from "../../images/staleWhileRevalidate";

/** A changed annotation. */
export interface Changed {
  image_id: number;
  id: number;
  uuid: string;
  category_id: number;
}

/** Number of images whose rows are counted in one statement. */
const IMAGES = 200;
/** Number of rows changed in one transaction. */
const ROWS = { first: 200, least: 100, most: PAGE_ROWS };

/** Options of a pass over the images of an import's dataset. */
export interface ImportPass {
  db: Kysely<Schema>;
  live: Live;
  importId: number;
  datasetId: number;
  /** Called with the number of images visited so far and their total. */
  onImages?: (done: number, total: number) => void;
}

/** Condition on `annotations a`: rows of an import that still have to be changed. */
type Pending = ReturnType<typeof sql<boolean>>;

/**
 * Changes an import's rows image by image. Each transaction also updates the images' counts and revisions, so that
 * every image is consistent at any moment. It changes at most 1,000 rows, fewer on a slow database. Progress survives a
 * kill. `change` receives image ids and returns the rows it changed.
 */
async function changeByImage(
  { db, live, importId, datasetId, onImages }: ImportPass,
  pending: Pending,
  action: "create" | "delete",
  change: (trx: Transaction<Schema>, imageIds: readonly number[]) => Promise<Changed[]>,
): Promise<number> {
  const total = onImages ? await countImages(db, datasetId) : 0;
  const pace = new Pace(ROWS);
  let changed = 0;
  let done = 0;
  for await (const ids of imagePages(db, datasetId, IMAGES)) {
    for (const group of groupsOf(await pendingOf(db, importId, ids, pending), () => pace.amount)) {
      for (;;) {
        const rows = await transaction(db, async (trx) => {
          const start = performance.now();
          const written = await changeImages(trx, group, change);
          pace.took(written.rows.length, performance.now() - start);
          return written;
        });
        changed += rows.rows.length;
        notifyRooms(live, action, rows);
        if (rows.rows.length < PAGE_ROWS) break;
      }
    }
    done += ids.length;
    onImages?.(done, total);
  }
  invalidateCachedFigures(db, datasetId);
  return changed;
}

/** Makes the rows of an import visible. `expected` is their approximate number. Returns the number of rows shown. */
export async function showRows(options: ImportPass, expected = 0): Promise<number> {
  const pending = sql<boolean>`not a.visible`;
  await analyzeAnnotations(options.db, expected);
  const shown = await changeByImage(options, pending, "create", (trx, ids) =>
    changeRows(trx, options.importId, ids, pending, sql`visible = true`),
  );
  await analyzeAnnotations(options.db, shown);
  return shown;
}

/** Moves the rows of an import to the trash, except those changed since. Returns their number. */
export function trashRows(options: ImportPass, userId: number): Promise<number> {
  const pending = sql<boolean>`${isLiveAnnotation("a")} and a.revision = a.import_revision`;
  return changeByImage(options, pending, "delete", (trx, ids) =>
    changeRows(trx, options.importId, ids, pending, sql`deleted_at = now(), deleted_by = ${userId}, ${RAISED}`),
  );
}

/** Restores the rows that an undo of their import moved to the trash. */
export async function restoreRows(options: ImportPass): Promise<void> {
  const pending = sql<boolean>`a.deleted_at is not null and a.revision = a.import_revision`;
  await changeByImage(options, pending, "create", (trx, ids) =>
    changeRows(trx, options.importId, ids, pending, sql`deleted_at = null, deleted_by = null, ${RAISED}`),
  );
}

/** Raises both revisions, so that the row still counts as unchanged since the import. */
const RAISED = sql`revision = a.revision + 1, import_revision = a.revision + 1`;

async function changeRows(
  trx: Transaction<Schema>,
  importId: number,
  imageIds: readonly number[],
  pending: Pending,
  set: ReturnType<typeof sql>,
): Promise<Changed[]> {
  const { rows } = await sql<Changed>`
    update annotations a set ${set}
    where a.id in (
      select a.id from annotations a
      where a.image_id = any(${imageIds}::int[]) and a.import_id is not distinct from ${importId} and ${pending}
      order by a.image_id, a.id limit ${PAGE_ROWS})
    returning a.image_id, a.id, a.uuid, a.category_id`.execute(trx);
  return rows;
}

/**
 * Counts the rows that still have to be changed, by image. `is not distinct from` keeps the planner from using the
 * index on import ids, which would read the whole import each time.
 */
async function pendingOf(
  db: Kysely<Schema>,
  importId: number,
  imageIds: readonly number[],
  pending: Pending,
): Promise<CountedImage[]> {
  const { rows } = await sql<CountedImage>`
    select a.image_id as id, count(*)::int as count from annotations a
    where a.image_id = any(${imageIds}::int[]) and a.import_id is not distinct from ${importId} and ${pending}
    group by a.image_id order by a.image_id`.execute(db);
  return rows;
}

interface ChangedImages {
  rows: Changed[];
  revisions: Map<number, number>;
}

async function changeImages(
  trx: Transaction<Schema>,
  imageIds: readonly number[],
  change: (trx: Transaction<Schema>, imageIds: readonly number[]) => Promise<Changed[]>,
): Promise<ChangedImages> {
  await sql`select from images where id = any(${imageIds}::int[]) order by id for update`.execute(trx);
  const rows = await change(trx, imageIds);
  const touched = [...new Set(rows.map((row) => row.image_id))];
  await recountImages(trx, touched);
  const images = await trx
    .updateTable("images")
    .set({ revision: sql`revision + 1`, reload_revision: sql`revision + 1` })
    .where("id", "=", sql<number>`any(${touched}::int[])`)
    .returning(["id", "revision"])
    .execute();
  return { rows, revisions: new Map(images.map(({ id, revision }) => [id, revision])) };
}

/** Sends one event to each image's room. Clients that have the image open reload it. */
function notifyRooms(live: Live, action: "create" | "delete", { rows, revisions }: ChangedImages): void {
  for (const { image_id, id, uuid, category_id } of rows) {
    const image_revision = revisions.get(image_id);
    if (image_revision === undefined) continue;
    revisions.delete(image_id);
    live.notifyImageRoom({
      action,
      annotation: { id, image_id, category_id, uuid },
      category_id,
      uuid: null,
      image_id,
      image_revision,
    });
  }
}

async function countImages(db: Kysely<Schema>, datasetId: number): Promise<number> {
  const { total } = await db
    .selectFrom("images")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("dataset_id", "=", datasetId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Yields the ids of a dataset's images, including those in the trash, in pages. */
export async function* imagePages(
  db: Kysely<Schema>,
  datasetId: number,
  pageRows = PAGE_ROWS,
): AsyncGenerator<number[]> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom("images")
      .select("id")
      .where("dataset_id", "=", datasetId)
      .where("id", ">", last)
      .orderBy("id")
      .limit(pageRows)
      .execute();
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < pageRows) return;
    last = rows.at(-1)?.id ?? last;
  }
}
