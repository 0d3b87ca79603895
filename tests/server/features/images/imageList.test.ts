import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../../../server/db/open/database";
import { recountImages } from "../../../../server/features/annotations/rows/recountImages";
import { imagePage, neighbours, subfolders } from "../../../../server/features/images/imageList";
import { placeOf } from "../../../../server/features/images/imagePlace";
import { type ImageFilter, imageFilter } from "../../../../shared/api/datasets/datasetImages";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../../support/factories";

describeOnBothDatabases("the list of a dataset's images", (open) => {
  let db: Database["db"];
  let datasetId: number;
  let category: number;
  const paths = ["b/2.jpg", "a/2.jpg", "a/1.jpg", "c.jpg", "a/b/3.jpg", "a/b/2.jpg", "z.jpg"];

  beforeAll(async () => {
    ({ db } = await open());
    datasetId = await seedDataset(db);
    category = await seedCategory(db, null);
    await seedImage(db, await seedDataset(db), "a/1.jpg");
    for (const [i, path] of paths.entries()) {
      const id = await seedImage(db, datasetId, path);
      if (i % 2 === 0) await seedAnnotation(db, id, category);
      if (path === "z.jpg")
        await db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", id).execute();
    }
  });

  const filters: () => [string, Record<string, string>][] = () => [
    ["by file name", {}],
    ["backwards by file name", { order: "-file_name" }],
    ["by path", { order: "path" }],
    ["backwards by id", { order: "-id" }],
    ["in a folder", { folder: "a", order: "path" }],
    ["by part of the name", { file_name__icontains: "2" }],
    ["by category", { strict_categories: "true", category_ids__in: String(category) }],
  ];
  const filterOf = (filter: Record<string, string>): ImageFilter => imageFilter.parse(filter);
  const whole = async (filter: ImageFilter) => (await imagePage(db, datasetId, filter, { offset: 0, limit: 100 })).rows;

  it("the list is followed image by image in the order shown, with any filter and order", async () => {
    for (const [name, query] of filters()) {
      const filter = filterOf(query);
      const shown = await whole(filter);
      expect(shown.length, name).toBeGreaterThan(2);
      for (const [i, row] of shown.entries()) {
        const near = await neighbours(db, { ...row, dataset_id: datasetId }, filter);
        expect([name, near.previous, near.next]).toEqual([name, shown[i - 1]?.id ?? null, shown[i + 1]?.id ?? null]);
        const place = await placeOf(db, { ...row, dataset_id: datasetId }, filter);
        expect([name, place]).toEqual([name, { before: i, total: shown.length }]);
      }
    }
  });

  it("the list is the same in pages of any size, read from either end", async () => {
    for (const [name, query] of filters()) {
      const filter = filterOf(query);
      const shown = await whole(filter);
      for (const limit of [1, 2, 3]) {
        const pages = [];
        for (let offset = 0; offset < shown.length + limit; offset += limit) {
          const { rows, total } = await imagePage(db, datasetId, filter, { offset, limit });
          expect([name, total]).toEqual([name, shown.length]);
          pages.push(...rows);
        }
        expect([name, pages]).toEqual([name, shown]);
      }
    }
  });

  it("sorts digits by numeric value, and letters ignoring case and accents", async () => {
    const seed = await seedDataset(db);
    for (const path of ["img10.jpg", "img9.jpg", "Zebra.jpg", "äpfel.jpg", "sub 10/1.jpg", "sub 9/1.jpg"])
      await seedImage(db, seed, path);
    const namesBy = async (order: string) =>
      (await imagePage(db, seed, filterOf({ order }), { offset: 0, limit: 10 })).rows.map(({ path }) => path);
    const [ninth, tenth] = ["sub 9/1.jpg", "sub 10/1.jpg"];
    expect(await namesBy("path")).toEqual(["äpfel.jpg", "img9.jpg", "img10.jpg", ninth, tenth, "Zebra.jpg"]);
    expect(await namesBy("file_name")).toEqual([tenth, ninth, "äpfel.jpg", "img9.jpg", "img10.jpg", "Zebra.jpg"]);
    expect(await subfolders(db, seed, "")).toEqual(["sub 9", "sub 10"]);
  });

  it("continues after an image that no longer matches the filter", async () => {
    const filter = filterOf({ order: "path", strict_categories: "true", category_ids__in: String(category) });
    const all = await whole(filterOf({ order: "path" }));
    const outside = all.find(({ path }) => path === "a/2.jpg");
    const near = await neighbours(db, { ...(outside as (typeof all)[number]), dataset_id: datasetId }, filter);
    const pathOf = (id: number | null) => all.find((row) => row.id === id)?.path;
    expect([pathOf(near.previous), pathOf(near.next)]).toEqual(["a/1.jpg", "a/b/3.jpg"]);
  });

  it("returns the next unannotated image of the list, or null if there is none", async () => {
    const seed = await seedDataset(db);
    const ids: number[] = [];
    for (const [i, path] of ["a/1.jpg", "a/2.jpg", "a/3.jpg", "b/1.jpg", "b/2.jpg"].entries()) {
      ids.push(await seedImage(db, seed, path));
      await db
        .updateTable("images")
        .set({ annotated: ![2, 3].includes(i) })
        .where("id", "=", ids[i] ?? 0)
        .execute();
    }
    const rows = (await imagePage(db, seed, filterOf({ order: "path" }), { offset: 0, limit: 10 })).rows;
    const from = async (place: number, query: Record<string, string>) => {
      const image = { ...(rows[place] as (typeof rows)[number]), dataset_id: seed };
      const { next_not_annotated } = await neighbours(db, image, filterOf(query));
      return next_not_annotated === null ? null : ids.indexOf(next_not_annotated);
    };
    const byPath = { order: "path" };
    expect(await Promise.all([0, 1, 2, 3, 4].map((place) => from(place, byPath)))).toEqual([2, 2, 3, null, null]);
    expect(await from(4, { order: "-path" })).toBe(3);
    expect(await from(0, { ...byPath, folder: "b" })).toBe(3);
    expect(await from(2, { ...byPath, folder: "a" })).toBe(null);
    expect(await from(0, { ...byPath, annotated: "false" })).toBe(2);
    expect(await from(0, { ...byPath, annotated: "true" })).toBe(null);
    expect(await from(0, { ...byPath, file_name__icontains: "2" })).toBe(null);
  });

  it("a category's list of unannotated images has those with its label or with an empty annotation of it", async () => {
    const seed = await seedDataset(db);
    const [wanted, other] = [await seedCategory(db, null), await seedCategory(db, null)];
    const make = async (path: string, { label, empty }: { label?: number; empty?: number } = {}) => {
      const id = await seedImage(db, seed, path);
      if (label)
        await db
          .updateTable("images")
          .set({ labels: [label] })
          .where("id", "=", id)
          .execute();
      return {
        id,
        path,
        dataset_id: seed,
        file_name: path,
        annotation: empty && (await seedAnnotation(db, id, empty)),
      };
    };
    const first = await make("1.jpg");
    await make("2.jpg", { label: other });
    await make("3.jpg", { empty: other });
    const empty = await make("4.jpg", { empty: wanted });
    const gone = await make("5.jpg", { empty: wanted });
    const labelled = await make("6.jpg", { label: wanted });
    const drawn = await make("7.jpg", { empty: wanted });
    await db.updateTable("images").set({ annotated: true }).where("id", "=", drawn.id).execute();
    const set = (annotation: number | undefined, values: object) =>
      db
        .updateTable("annotations")
        .set(values)
        .where("id", "=", annotation ?? 0)
        .execute();
    await set(gone.annotation, { deleted_at: new Date() });
    await set(drawn.annotation, { area: 9 });
    await recountImages(db, [gone.id, drawn.id]);

    const filter = filterOf({ strict_categories: "true", category_ids__in: String(wanted) });
    const from = async (image: typeof first) => (await neighbours(db, image, filter)).next_not_annotated;
    expect(await Promise.all([first, empty, labelled].map(from))).toEqual([empty.id, labelled.id, null]);
    const page = await imagePage(db, seed, { ...filter, annotated: false }, { offset: 0, limit: 2 });
    expect(page.rows.map(({ id }) => id)).toEqual([empty.id, labelled.id]);
    // So many that the images are read in order first and matched afterwards.
    await sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, labels)
      select ${seed}::int, '+' || n, '', '+' || n, 9, 9, 'image/png', 1, 0, n::text, array[${wanted}::int]
      from generate_series(1, 4100) n`.execute(db);
    expect(await Promise.all([first, empty, labelled].map(from))).toEqual([empty.id, labelled.id, null]);
  });

  it("finds the same images with many annotations as with few", async () => {
    const many = await seedCategory(db, null);
    const ids = (await whole(filterOf({ folder: "a/b" }))).map(({ id }) => id);
    const rows = Array.from({ length: 4_100 }, (_, i) => ({
      image_id: ids[i % 2] ?? 0,
      category_id: many,
      color: "#000000",
    }));
    for (let from = 0; from < rows.length; from += 1000)
      await db
        .insertInto("annotations")
        .values(rows.slice(from, from + 1000))
        .execute();
    await recountImages(db, ids);
    const found = await whole(filterOf({ strict_categories: "true", category_ids__in: String(many) }));
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
  });
});
