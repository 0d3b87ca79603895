import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import { recountImages } from "../../features/annotations/rows/recountImages";
import type { Patient } from "./check";
import { openThreads } from "./openThreads";
import { pagesById } from "./pagesById";
import { totals } from "./totals";

/**
 * Checks the stored number of annotations, the categories and the number of unresolved threads of each image, and the
 * number of images of each dataset. With `fix`, corrects them.
 */
export async function* counts(patient: Patient): AsyncGenerator<string> {
  const { db, fix } = patient;
  for await (const images of pages(db)) {
    const before = new Map(images.map((image) => [image.id, image]));
    for (const after of await recounted(db, [...before.keys()], fix)) {
      const { num_annotations: count, annotated, categories } = before.get(after.id) ?? after;
      const change = fix ? "corrected to" : "but it has";
      if (count !== after.num_annotations || annotated !== after.annotated)
        yield `Image ${after.id} has a stored count of ${count} annotation(s), ${change} ${after.num_annotations}.`;
      else if (categories.join() !== after.categories.join())
        yield `Image ${after.id} is stored as having annotations of the categories ${listed(categories)}, ${change} ${listed(after.categories)}.`;
    }
  }
  yield* openThreads(patient);
  yield* totals(patient);
}

const pages = (db: Kysely<Schema>) =>
  pagesById((after, limit) =>
    db
      .selectFrom("images")
      .select(["id", "num_annotations", "annotated", "categories"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );

const listed = (ids: readonly number[]) => ids.join(", ") || "(none)";

/**
 * Counts again as the server does, and returns the images with the new counts. Without `fix`, the transaction is rolled
 * back.
 */
async function recounted(db: Kysely<Schema>, ids: number[], fix: boolean) {
  const trx = await db.startTransaction().execute();
  try {
    await trx.selectFrom("images").select("id").where("id", "in", ids).orderBy("id").forUpdate().execute();
    await recountImages(trx, ids);
    const rows = await trx
      .selectFrom("images")
      .select(["id", "num_annotations", "annotated", "categories"])
      .where("id", "in", ids)
      .orderBy("id")
      .execute();
    if (fix) await trx.commit().execute();
    return rows;
  } finally {
    if (!trx.isCommitted) await trx.rollback().execute();
  }
}
