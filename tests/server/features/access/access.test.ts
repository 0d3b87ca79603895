import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { HttpError } from "../../../../server/base/errors";
import { visibleImage } from "../../../../server/features/access/access";
import { findAnnotation } from "../../../../server/features/annotations/findAnnotation";
import { managedExport } from "../../../../server/features/exports/managedExport";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";
import { type EditFixture, makeAccount, makeEditFixture, Tab } from "../edits/editFixture";

describeOnBothDatabases("access to data", (open) => {
  let db: TestDatabase["db"];
  let fixture: EditFixture;
  let annotationId: number;
  let exportId: number;
  beforeAll(async () => {
    db = (await open()).db;
    fixture = await makeEditFixture(db);
    const tab = new Tab(db, fixture);
    annotationId = (await tab.sendOne(tab.create())).id ?? 0;
    exportId = (
      await db
        .insertInto("exports")
        .values({ dataset_id: fixture.datasetId, file: "x.json", bytes: 1 } as never)
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;
  });

  const looks = {
    "an image": (at: TestDatabase["db"], user = fixture.user) => visibleImage(at, user, fixture.imageId),
    "an annotation": (at: TestDatabase["db"], user = fixture.user) => findAnnotation(at, user, annotationId),
    "an export": (at: TestDatabase["db"], user = fixture.user) => managedExport(at, user, exportId),
  };

  test.each(Object.keys(looks) as (keyof typeof looks)[])("%s is visible to its owner alone", async (what) => {
    expect(await looks[what](db)).toBeTruthy();
    await expect(looks[what](db, await makeAccount(db, "eve"))).rejects.toMatchObject({ status: 404 });
  });

  test("an absent image has its own error code, which distinguishes it from a proxy's 404", async () => {
    const eve = await makeAccount(db, "mallory");
    await expect(looks["an image"](db, eve)).rejects.toMatchObject({ code: "image_not_found" });
    await expect(looks["an export"](db, eve)).rejects.toMatchObject({ code: undefined });
    await expect(visibleImage(db, fixture.user, 2_000_000_000)).rejects.toMatchObject({ code: "image_not_found" });
    const tab = new Tab(db, fixture);
    const refused = { status: "refused", reason: "This image does not exist.", code: "image_not_found" };
    expect(await tab.sendOne({ ...tab.create(), image_id: 2_000_000_000 })).toMatchObject(refused);
  });

  test.each(Object.keys(looks) as (keyof typeof looks)[])(
    "%s is not reported as absent when the database fails",
    async (what) => {
      const broken = db.transaction().execute(async (trx) => {
        await sql`alter table dataset_members rename to gone`.execute(trx);
        await looks[what](trx);
      });
      const error = await broken.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(HttpError);
    },
  );
});
