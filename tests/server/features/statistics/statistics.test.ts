import { type Kysely, sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { Schema } from "../../../../server/db/schema";
import { datasetSums } from "../../../../server/features/statistics/datasetSums";
import { refreshStatistics } from "../../../../server/features/statistics/refreshStatistics";
import { describeOnDatabases } from "../../../support/databases";
import { seedCategory, seedDataset } from "../../../support/factories";

describeOnDatabases("stored statistics", (open) => {
  let db: Kysely<Schema>;
  let dataset: number;
  let category: number;

  beforeAll(async () => {
    ({ db } = await open());
    category = await seedCategory(db, null);
    dataset = await seedDataset(db, { categories: [category] });
    await sql`
      insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, annotated, num_annotations)
      select ${dataset}::int, n || '.jpg', '', n || '.jpg', 640, 480, 'image/jpeg', 1, 0, n::text, true, 20
      from generate_series(1, 1200) n`.execute(db);
    await sql`
      insert into annotations (image_id, category_id, area, bbox, color)
      select id, ${category}::int, 100, '[10, 10, 10, 10]', '#336699'
      from images, generate_series(1, 20) where dataset_id = ${dataset}`.execute(db);
  });

  const kept = async () => {
    const { rows } = await sql<{ place: string; mark: string }>`
      select first || ' ' || behind as place, mark from statistics_blocks where dataset_id = ${dataset} order by first`.execute(
      db,
    );
    return rows;
  };
  const annotationsIn = async () => (await datasetSums(db, dataset)).categories.get(category)?.annotations;

  it("statistics are counted in the background and read from there, and only changed blocks are counted again", async () => {
    expect(await refreshStatistics(db, () => undefined)).toBe(true);
    const before = await kept();
    expect(before.length).toBeGreaterThan(1);
    // Bypasses the change tracking, so that a second read of annotations would be noticed.
    await sql`update annotations set area = 0, deleted_at = now()`.execute(db);
    expect(await annotationsIn()).toBe(24_000);
    const { rows } = await sql<{
      id: number;
    }>`select id from images where dataset_id = ${dataset} order by id limit 1`.execute(db);
    await sql`update images set revision = revision + 1 where id = ${rows[0]?.id ?? 0}`.execute(db);
    const fewer = await annotationsIn();
    expect(fewer).toBeLessThan(24_000);
    expect(fewer).toBeGreaterThan(0);
    const after = await kept();
    expect(after.filter(({ mark }, i) => mark !== before[i]?.mark)).toHaveLength(1);
  });

  it("statistics equal a full recount", async () => {
    await sql`update images set revision = revision + 1 where dataset_id = ${dataset}`.execute(db);
    const first = await datasetSums(db, dataset, { atOnce: 3 });
    const read = await datasetSums(db, dataset);
    await sql`delete from statistics_blocks`.execute(db);
    expect(read).toEqual(first);
    expect(await datasetSums(db, dataset)).toEqual(first);
  });

  it("statistics are counted for the other datasets when one of them fails", async () => {
    const { id: other } = await db
      .insertInto("datasets")
      .values({ name: "other", folder: "other" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await sql`
      insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, annotated)
      select ${other}::int, n || '.png', '', n || '.png', 640, 480, 'image/png', 1, 0, n::text, true
      from generate_series(1, 1000) n`.execute(db);
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`.execute(db);
    await sql
      .raw(`create trigger fail before insert or update on statistics_blocks for each row
      when (new.dataset_id = ${dataset}) execute function fail()`)
      .execute(db);
    await sql`delete from statistics_blocks`.execute(db);
    const errors: unknown[] = [];
    expect(await refreshStatistics(db, (error) => errors.push(error))).toBe(false);
    expect(errors.map(String)).toEqual([expect.stringContaining("no room")]);
    const { rows } = await sql`select from statistics_blocks where dataset_id = ${other}`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
    await sql`drop trigger fail on statistics_blocks`.execute(db);
    await db.deleteFrom("datasets").where("id", "=", other).execute();
  });

  it("statistics are counted whatever area a file has once stated", async () => {
    await sql`update annotations set area = 1e308, deleted_at = null`.execute(db);
    await sql`update images set revision = revision + 1 where dataset_id = ${dataset}`.execute(db);
    const area = (await datasetSums(db, dataset)).categories.get(category)?.area;
    expect(area).toBe(24_000 * 1e15);
  });

  it("statistics are counted again when a category is deleted, and removed with their dataset", async () => {
    await sql`update annotations set area = 100, deleted_at = null`.execute(db);
    await sql`update images set revision = revision + 1 where dataset_id = ${dataset}`.execute(db);
    expect(await annotationsIn()).toBe(24_000);
    await sql`update categories set deleted_at = now() where id = ${category}`.execute(db);
    expect(await annotationsIn()).toBeUndefined();
    await sql`update images set deleted_at = now() where dataset_id = ${dataset}`.execute(db);
    await datasetSums(db, dataset);
    expect(await kept()).toEqual([]);
    await db.deleteFrom("datasets").where("id", "=", dataset).execute();
  });
});
