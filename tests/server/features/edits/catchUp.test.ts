import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { catchUp } from "../../../../server/features/edits/catchUp";
import { describeOnBothDatabases } from "../../../support/databases";
import { seededRandom } from "../../../support/seededRandom";
import { makeEditFixture } from "./editFixture";

describeOnBothDatabases("the changes of an image", (open) => {
  test("changes longer than the image itself make the client load it again", async () => {
    const { db } = await open();
    const { user, imageId } = await makeEditFixture(db);
    const next = seededRandom(2);
    const fields = JSON.stringify({ rings: [[Array.from({ length: 150_000 }, next)]] });
    const change = (image_revision: number) => ({
      ...{ image_id: imageId, image_revision, subject: "annotation" as const, subject_id: randomUUID() },
      ...{ revision: 1, action: "create" as const, fields, user_name: "" },
    });
    const last = 9;
    for (let revision = 2; revision <= last; revision++)
      await db.insertInto("edit_history").values(change(revision)).execute();
    await db.updateTable("images").set({ revision: last }).where("id", "=", imageId).execute();
    expect(await catchUp(db, user, imageId, 1)).toEqual({ revision: last, reload: true, changes: [] });
    const { reload, changes } = await catchUp(db, user, imageId, last - 1);
    expect([reload, changes.length]).toEqual([false, 1]);
  });
});
