import { expect, test } from "vitest";
import { annotationsInto } from "../../../../../server/features/imports/store/annotationWriter";
import type { NewRow } from "../../../../../server/features/imports/store/insertAnnotations";
import { describeOnBothDatabases } from "../../../../support/databases";
import { seedImage } from "../../../../support/factories";
import { makeCategory, makeEditFixture } from "../../edits/editFixture";

describeOnBothDatabases("annotations of an import", (open) => {
  test("annotations are stored except those whose image was permanently deleted, which are reported", async () => {
    const { db } = await open();
    const { user, datasetId, imageId } = await makeEditFixture(db);
    const categoryId = await makeCategory(db, user, datasetId);
    const gone = await seedImage(db, datasetId);
    await db.deleteFrom("images").where("id", "=", gone).execute();
    const { id: importId } = await db
      .insertInto("imports")
      .values({ dataset_id: datasetId, user_id: user.id, file_name: "a.json", report: "{}" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const row = (item: number, image_id: number, category_id = categoryId): NewRow => ({
      item,
      annotation: {
        ...{ image_id, category_id, area: 25, bbox: [1, 1, 5, 5], iscrowd: false, isbbox: true, shape: null },
        ...{ color: "#112233", metadata: {}, attributes: null, keypoints: null, extra: null },
      },
    });
    const writer = annotationsInto(db, importId, user);
    const rows = [row(0, imageId), row(1, gone), row(2, imageId)];
    expect(await writer.store(rows)).toEqual([rows[1]]);
    expect(await writer.stored([0, 1, 2])).toEqual(new Set([0, 2]));
    await expect(writer.store([row(3, imageId, 999_999)])).rejects.toThrow();
  });
});
