import { type Kysely, sql } from "kysely";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Schema } from "../../../../server/db/schema";
import { imageTotals, totalsOf } from "../../../../server/features/images/imageTotals";
import { removeImages } from "../../../../server/features/trash/purgeImage";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedDataset, seedImage } from "../../../support/factories";

describeOnBothDatabases("the totals of a dataset's images", (open, kind) => {
  let db: Kysely<Schema>;
  let dataset: number;
  let ids: number[];

  beforeAll(async () => {
    ({ db } = await open());
  });

  beforeEach(async () => {
    dataset = await seedDataset(db);
    ids = [];
    for (let i = 0; i < 5; i++) ids.push(await seedImage(db, dataset));
  });

  const counted = async (id = dataset) => {
    const { rows } = await sql<{ images: number; annotated: number }>`
      select count(*) as images, count(*) filter (where annotated) as annotated
      from images where dataset_id = ${id} and deleted_at is null`.execute(db);
    return rows[0];
  };
  const rowsKept = async (id = dataset) => {
    const { rows } = await sql`select from image_counts where dataset_id = ${id}`.execute(db);
    return rows.length;
  };
  const set = (values: { annotated?: boolean; deleted_at?: Date | null }, which: number[]) =>
    db.updateTable("images").set(values).where("id", "in", which).execute();

  it("totals follow images that are added, deleted, restored, annotated, and permanently deleted", async () => {
    const [first = 0, second = 0, third = 0] = ids;
    expect(await totalsOf(db, dataset)).toEqual({ images: 5, annotated: 0 });
    const steps = [
      () => set({ annotated: true }, [first, second]),
      () => set({ deleted_at: new Date() }, [second, third]),
      () => set({ annotated: true }, [third]),
      () => set({ annotated: false }, [second]),
      () => set({ annotated: true, deleted_at: null }, [second]),
      () => removeImages(db, [second, third], { onlyDeleted: true }),
      () => removeImages(db, [first], { onlyDeleted: false }),
      () => set({ deleted_at: new Date() }, ids),
    ];
    for (const step of steps) {
      await step();
      expect(await totalsOf(db, dataset)).toEqual(await counted());
    }
    expect(await totalsOf(db, dataset)).toEqual({ images: 0, annotated: 0 });
  });

  it("totals count an existing row only once", async () => {
    const again = db
      .insertInto("images")
      .columns(["dataset_id", "path", "folder", "file_name", "width", "height", "mime", "bytes", "modified_ms", "hash"])
      .expression((eb) =>
        eb
          .selectFrom("images")
          .select([
            "dataset_id",
            "path",
            "folder",
            "file_name",
            "width",
            "height",
            "mime",
            "bytes",
            "modified_ms",
            "hash",
          ])
          .where("dataset_id", "=", dataset),
      );
    await again.onConflict((conflict) => conflict.columns(["dataset_id", "path"]).doNothing()).execute();
    expect(await totalsOf(db, dataset)).toEqual({ images: 5, annotated: 0 });
  });

  it("totals ignore what was rolled back", async () => {
    const failed = db.transaction().execute(async (trx) => {
      await trx.updateTable("images").set({ annotated: true }).where("id", "in", ids).execute();
      await seedImage(trx, dataset);
      expect(await totalsOf(trx, dataset)).toEqual({ images: 6, annotated: 5 });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await totalsOf(db, dataset)).toEqual({ images: 5, annotated: 0 });
  });

  it("totals are compacted after many changes, without changing", async () => {
    for (let i = 0; i < 60; i++) await set({ annotated: i % 2 === 0 }, ids);
    const many = await rowsKept();
    expect(many).toBeGreaterThan(100);
    expect(await totalsOf(db, dataset)).toEqual(await counted());
    expect(await rowsKept()).toBe(1);
    expect(await totalsOf(db, dataset)).toEqual(await counted());
  });

  it("totals stay correct when many changes, reads and compactions run at once", async () => {
    const writers = ids.map(async (id) => {
      for (let i = 0; i < 41; i++) await set({ annotated: i % 2 === 0 }, [id]);
    });
    const readers = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 20; i++) {
        const { images, annotated } = await totalsOf(db, dataset);
        expect(images).toBe(5);
        expect(annotated).toBeGreaterThanOrEqual(0);
        expect(annotated).toBeLessThanOrEqual(5);
      }
    });
    await Promise.all([...writers, ...readers]);
    expect(await totalsOf(db, dataset)).toEqual({ images: 5, annotated: 5 });
  });

  it("no totals remain of a dataset that is deleted with its images", async () => {
    await set({ annotated: true }, ids);
    await db.deleteFrom("datasets").where("id", "=", dataset).execute();
    expect(await rowsKept()).toBe(0);
    expect((await imageTotals(db, [dataset])).get(dataset)).toEqual({ images: 0, annotated: 0 });
  });

  it.runIf(kind === "server")("totals are counted again after all images are removed at once", async () => {
    await db
      .transaction()
      .execute(async (trx) => {
        await sql`truncate images cascade`.execute(trx);
        expect(await totalsOf(trx, dataset)).toEqual({ images: 0, annotated: 0 });
        throw new Error("back");
      })
      .catch(() => undefined);
    expect(await totalsOf(db, dataset)).toEqual({ images: 5, annotated: 0 });
  });
});
