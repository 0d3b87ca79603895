import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../../../server/db/open/database";
import { recountImages } from "../../../../server/features/annotations/rows/recountImages";
import { imagesWithCategories } from "../../../../server/features/images/imageDocument";
import { imagePage, neighbours, subfolders } from "../../../../server/features/images/imageList";
import { type ImageFilter, imageFilter } from "../../../../shared/api/datasets/datasetImages";
import type { ManifestImage } from "../../../../shared/api/offline";
import { countBefore, filterImages, neighboursIn, subfoldersOf } from "../../../../web/offline/answers/imageFilter";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../../support/factories";

const PATHS = [
  "b/2.jpg",
  "a/2.jpg",
  "a/1.jpg",
  "Zoo.JPG",
  "zoo.jpg",
  "a/b/3.jpg",
  "a/b/2.jpg",
  "a-b/2.jpg",
  "a b/x_2%.jpg",
  "ab/Ärger.jpg",
  "ab/ärger 2.jpg",
  "ab/ΣΑΣ.jpg",
  "\u{ff5e}.jpg",
  "\u{1f600}/\u{1f600}.jpg",
  "c/\u212a.jpg",
  "c/k.jpg",
  "n/img10.jpg",
  "n/IMG2.jpg",
  "n/img02.jpg",
  "n 10/cafe\u0301.jpg",
  "n 9/caf\u00e9.jpg",
  "n/İzmir ß.jpg",
];

describeOnDatabases("the list of a dataset's images in the browser", (open) => {
  let db: Database["db"];
  let datasetId: number;
  let rows: ManifestImage[];
  let filters: ImageFilter[];

  beforeAll(async () => {
    ({ db } = await open());
    datasetId = await seedDataset(db);
    const [one, two] = [await seedCategory(db, null), await seedCategory(db, null)];
    const ids = [];
    for (const [i, path] of PATHS.entries()) {
      const id = await seedImage(db, datasetId, path);
      ids.push(id);
      const set = (values: object) => db.updateTable("images").set(values).where("id", "=", id).execute();
      if (i % 3 === 0) await seedAnnotation(db, id, one);
      if (i % 4 === 0) await set({ labels: [two] });
      if (i % 5 === 0) await set({ done: true, stage: i % 2 ? "accepted" : "to_review" });
      if (i % 7 === 1) await set({ done: false, stage: "returned" });
    }
    await recountImages(db, ids);
    for (const [i, id] of ids.entries())
      if (i % 3 === 0) await db.updateTable("images").set({ annotated: true }).where("id", "=", id).execute();
    const stored = await imagesWithCategories(db).where("dataset_id", "=", datasetId).orderBy("id").execute();
    rows = stored.map((row) => ({ ...row, bytes: Number(row.bytes) }));
    const queries: Record<string, string>[] = [
      {},
      ...["", "a", "a/b/", "/ab", "a b", "none", "\u{1f600}"].map((folder) => ({ folder })),
      ...["2", "ZOO", "zoo.j", "_", "%", "\\", "ÄRGER", "σας", "CAFÉ", "izmir ss", "k", "\u{1f600}", "jpg"].map(
        (text) => ({
          file_name__icontains: text,
        }),
      ),
      ...["true", "false", "none", " "].map((annotated) => ({ annotated })),
      ...["true", "false"].map((done) => ({ done })),
      ...["new", "annotating", "open", "to_review,returned", "new,accepted"].map((stage) => ({ stage })),
      ...[`${one}`, `${two}`, `${one},${two}`, "99999"].flatMap((list): Record<string, string>[] => [
        { category_ids__in: list },
        { category_ids__in: list, strict_categories: "true" },
        { category_ids__in: list, annotated: "false", folder: "ab" },
      ]),
    ];
    filters = queries.flatMap((query) =>
      ["file_name", "-file_name", "path", "-path", "id", "-id"].map((order) => imageFilter.parse({ ...query, order })),
    );
  });

  it("a local list has the images of the server's list in the same order, with every filter and order", async () => {
    let nonEmpty = 0;
    for (const filter of filters) {
      const page = await imagePage(db, datasetId, filter, { offset: 0, limit: 1000 });
      const wanted = page.rows.map(({ path }) => path);
      if (wanted.length > 0) nonEmpty++;
      expect([filter, filterImages(rows, filter).map(({ path }) => path)]).toEqual([filter, wanted]);
    }
    expect(nonEmpty).toBeGreaterThan(filters.length / 2);
  });

  it("a local list has the server's previous, next and next unannotated image, also for images outside the list", async () => {
    for (const filter of filters) {
      const list = filterImages(rows, filter);
      for (const row of rows.filter((_, i) => i % 5 === 1)) {
        const wanted = await neighbours(db, { ...row, dataset_id: datasetId }, filter);
        expect([filter, row.path, neighboursIn(list, row, filter.order)]).toEqual([filter, row.path, wanted]);
        const at = list.indexOf(row);
        if (at >= 0) expect(countBefore(list, row, filter.order)).toBe(at);
      }
    }
  });

  it("a local list has the server's subfolders", async () => {
    for (const folder of ["", "a", "a/b", "ab", "n", "none"])
      expect(subfoldersOf(rows, folder)).toEqual(await subfolders(db, datasetId, folder));
  });
});
