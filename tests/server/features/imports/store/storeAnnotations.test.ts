import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { Tally } from "../../../../../server/features/imports/read/importReport";
import type { FileImage } from "../../../../../server/features/imports/read/readAnnotation";
import { type AnnotationWriter, annotationsInto } from "../../../../../server/features/imports/store/annotationWriter";
import { BATCH_ROWS } from "../../../../../server/features/imports/store/insertAnnotations";
import { storeAnnotations } from "../../../../../server/features/imports/store/storeAnnotations";
import { makeFiles } from "../../../../../server/files/files";
import { describeOnBothDatabases } from "../../../../support/databases";
import { seedAnnotation } from "../../../../support/factories";
import { makeCategory, makeEditFixture, makeImage } from "../../edits/editFixture";

/** Longer than an independent batch takes. */
const PATIENCE_MS = 500;

function makeSignal() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((come) => {
    resolve = come;
  });
  return { promise, resolve };
}

describeOnBothDatabases("batches of an import", (open) => {
  test("annotations get ids in the order of the file, even if a later one is processed first", async () => {
    const { db } = await open();
    const { user, datasetId, imageId: known } = await makeEditFixture(db);
    const categoryId = await makeCategory(db, user, datasetId);
    const empty = await makeImage(db, datasetId);
    await seedAnnotation(db, known, categoryId);
    const { id: importId } = await db
      .insertInto("imports")
      .values({ dataset_id: datasetId, user_id: user.id, file_name: "a.json", report: "{}" })
      .returning("id")
      .executeTakeFirstOrThrow();

    const item = (image_id: unknown, i: number) => ({ id: i, image_id, category_id: 7, bbox: [1, 1, 5, 1 + (i % 50)] });
    const first = Array.from({ length: BATCH_ROWS }, (_, i) => item(1, i));
    const second = first.map((_, i) => item(2, BATCH_ROWS + i));
    // Read while the second batch is in flight.
    const unusable = item(3, 2 * BATCH_ROWS);
    const folder = await mkdtemp(join(tmpdir(), "limn-import-"));
    await writeFile(join(folder, "upload"), JSON.stringify({ annotations: [...first, ...second, unusable] }));
    const transfers = makeFiles({ DATA_DIR: folder, DATASETS_DIR: folder, MAX_UPLOAD_MB: 10 }).transfers;
    const { key } = await transfers.keepUpload(join(folder, "upload"));

    const isRead = makeSignal();
    const isStored = makeSignal();
    /** Holds back the first image's rows until the second batch is in flight, and stored if possible. */
    const heldBack: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await isRead.promise;
        await Promise.race([isStored.promise, wait(PATIENCE_MS)]);
        return result;
      },
    };
    const into = annotationsInto(db, importId, user);
    const writer: AnnotationWriter = {
      ...into,
      store: async (rows) => {
        const lost = await into.store(rows);
        isStored.resolve();
        return lost;
      },
    };
    const fileImage = (id: number, count: number): FileImage => ({ id, count, width: 100, height: 80, turn: null });
    await storeAnnotations({
      ...{ db: db.withPlugin(heldBack), writer, requester: "ada", transfers, upload: key },
      signal: new AbortController().signal,
      images: new Map([
        [1, fileImage(known, 1)],
        [2, fileImage(empty, 0)],
      ]),
      categories: new Map([[7, { id: categoryId, labels: [] }]]),
      skipped: new Tally(() => isRead.resolve()),
      notes: new Tally(() => undefined),
    });
    await rm(folder, { recursive: true });

    const rows = await db
      .selectFrom("annotations")
      .select("import_item")
      .where("import_id", "=", importId)
      .orderBy("id")
      .execute();
    expect(rows.map((row) => row.import_item)).toEqual(Array.from({ length: 2 * BATCH_ROWS }, (_, i) => i));
  });
});
