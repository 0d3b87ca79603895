import { beforeAll, expect, test } from "vitest";
import { removeImport } from "../../../../../server/features/imports/undo/removeImport";
import { describeOnBothDatabases, type TestDatabase } from "../../../../support/databases";
import { makeCategory, makeEditFixture } from "../../edits/editFixture";

describeOnBothDatabases("removing an abandoned import", (open) => {
  let db: TestDatabase["db"];
  beforeAll(async () => {
    db = (await open()).db;
  });

  test("removing an import keeps a created category that a user has ticked since, and deletes the others", async () => {
    const { user, datasetId, imageId } = await makeEditFixture(db);
    const [ticked, unused] = [await makeCategory(db, user, datasetId), await makeCategory(db, user, datasetId)];
    await db
      .updateTable("images")
      .set({ labels: [ticked] })
      .where("id", "=", imageId)
      .execute();
    const categories = [ticked, unused].map((id) => ({ name: "", id, labels: [], how: "created", added: true }));
    const { id: importId } = await db
      .insertInto("imports")
      .values({
        dataset_id: datasetId,
        user_id: user.id,
        file_name: "a.json",
        report: JSON.stringify({ categories }),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await removeImport(db, importId);
    const left = await db
      .selectFrom("categories")
      .innerJoin("dataset_categories", "dataset_categories.category_id", "categories.id")
      .select("categories.id")
      .where("categories.id", "in", [ticked, unused])
      .execute();
    expect(left).toEqual([{ id: ticked }]);
  });
});
