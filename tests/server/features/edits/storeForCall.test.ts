import { expect, test } from "vitest";
import { storeForCall } from "../../../../server/features/edits/storeForCall";
import { describeOnBothDatabases } from "../../../support/databases";
import { makeEditFixture, Tab } from "./editFixture";

describeOnBothDatabases("a call that stores edits", (open) => {
  test("returns 404 if its image or category disappears after the check, and 400 for other refusals", async () => {
    const { db } = await open();
    const fixture = await makeEditFixture(db);
    const tab = new Tab(db, fixture);
    const live = { notifyImageRoom: () => undefined };
    const status = async (edit: ReturnType<Tab["create"]>) =>
      storeForCall({ db, live } as never, fixture.user, (_, store) => store([edit])).then(
        () => 200,
        (error) => error.status,
      );
    expect(await status({ ...tab.create(), image_id: 999_999 })).toBe(404);
    expect(await status(tab.create({ category_id: 999_999 }))).toBe(404);
    expect(await status(tab.edit("00000000-0000-4000-8000-000000000000", "modify", 1, { color: "#000000" }))).toBe(404);
    expect(await status(tab.create({ keypoints: [{ label: 77, x: 1, y: 1, v: 2 }] }))).toBe(400);
    expect(await status(tab.create())).toBe(200);
  });
});
