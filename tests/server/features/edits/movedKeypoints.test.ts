import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { annotationOf } from "../../../../server/features/annotations/rows/annotationRow";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";
import { annotationRow, type EditFixture, makeCategory, makeEditFixture, Tab } from "./editFixture";

const point = (label: number, at = label) => ({ label, x: at, y: at, v: 2 });

describeOnBothDatabases("keypoints under one label", (open) => {
  let db: TestDatabase["db"];
  let fixture: EditFixture;
  let tab: Tab;
  beforeAll(async () => {
    db = (await open()).db;
  });
  beforeEach(async () => {
    fixture = await makeEditFixture(db, ["a", "b"]);
    tab = new Tab(db, fixture);
  });

  const made = async (keypoints: ReturnType<typeof point>[]) => {
    const edit = tab.create({ keypoints });
    await tab.sendOne(edit);
    return edit.target;
  };
  const pointsOf = async (uuid: string) => (await annotationRow(db, uuid))?.keypoints ?? [];

  test("keypoints stay separate if one belongs to a removed label and the category has a label of that name", async () => {
    const uuid = await made([point(1), point(2)]);
    const named = { keypoint_labels: ["a"], keypoint_label_ids: [2] };
    const { imageId: image_id, categoryId: target } = fixture;
    const change = { image_id, base: 1, subject: "category", target, action: "modify", before: {}, after: named };
    expect(await tab.sendOne({ uuid: randomUUID(), ...change })).toMatchObject({ status: "applied" });
    const other = await makeCategory(db, fixture.user, fixture.datasetId, ["a", "z"]);
    await tab.sendOne(tab.edit(uuid, "modify", 1, { category_id: other }));
    const moved = await pointsOf(uuid);
    expect(moved).toHaveLength(2);
    expect(moved.find(({ label }) => label === 1)).toEqual(point(1, 2));
    // A page sends all known points together with the new one.
    const placed = tab.edit(uuid, "modify", 2, { keypoints: [...moved, point(2, 5)] });
    expect(await tab.sendOne(placed)).toMatchObject({ status: "applied" });
  });

  test("keypoints that older versions stored twice are sent once, and block no edit", async () => {
    const uuid = await made([point(1)]);
    const doubled = JSON.stringify([point(1), point(1, 2)]);
    await db.updateTable("annotations").set({ keypoints: doubled }).where("uuid", "=", uuid).execute();
    const row = await annotationRow(db, uuid);
    const sentPoints = row && annotationOf(row).keypoints;
    expect(sentPoints).toEqual([point(1, 2)]);
    const next = [...(sentPoints ?? []), point(2, 5)];
    expect(await tab.sendOne(tab.edit(uuid, "modify", 1, { keypoints: next }))).toMatchObject({ status: "applied" });
    expect(await pointsOf(uuid)).toEqual(next);
  });
});
