import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import type { CurrentUser } from "../../../../server/base/permissions";
import type { Schema } from "../../../../server/db/schema";
import { pruneHistory } from "../../../../server/features/edits/pruneHistory";
import { annotationVersions } from "../../../../server/features/history/annotationVersions";
import { historySteps } from "../../../../server/features/history/historySteps";
import { imageMoment } from "../../../../server/features/history/imageMoment";
import { getScene } from "../../../../server/features/scene/getScene";
import { imageFilter } from "../../../../shared/api/datasets/datasetImages";
import type { HistoryStep, Moment } from "../../../../shared/api/history";
import type { Annotation } from "../../../../shared/entities/annotation";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation } from "../../../support/factories";
import { seededRandom } from "../../../support/seededRandom";
import { imageRow, makeAccount, makeCategory, makeEditFixture, square, Tab } from "../edits/editFixture";

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

async function momentAt(db: Kysely<Schema>, user: CurrentUser, imageId: number, revision: number): Promise<Moment> {
  return JSON.parse(await textOf(await imageMoment(db, user, imageId, revision))) as Moment;
}

/** Returns the scene's annotations, as the annotator opens them, without revisions. */
async function sceneNow(db: Kysely<Schema>, user: CurrentUser, imageId: number): Promise<unknown[]> {
  const listContext = imageFilter.parse({});
  const request = { imageId, listContext, shape: "rings" as const, annotating: [] };
  const { json } = await getScene(db, user, request, () => false);
  const scene = JSON.parse(await textOf(json!)) as { categories: { annotations: Annotation[] }[] };
  return comparable(scene.categories.flatMap(({ annotations }) => annotations));
}

/** Annotations in a fixed order. A stored mask that rings have replaced is no part of the shape. */
const comparable = (annotations: readonly Annotation[]): unknown[] =>
  annotations
    .map(({ revision: _, rle, ...more }) => ({ ...more, rle: more.rings ? null : rle }))
    .sort((a, b) => a.uuid.localeCompare(b.uuid));

describeOnDatabases("the history of an image", (open) => {
  test("every moment of random edits is the scene as it was", async () => {
    const { db } = await open();
    const fixture = await makeEditFixture(db);
    const { user, imageId, datasetId, categoryId } = fixture;
    const bob = { ...(await makeAccount(db, "bob", true)) };
    const other = await makeCategory(db, user, datasetId);
    // Imported: stored without a record.
    for (let number = 0; number < 3; number++) await seedAnnotation(db, imageId, categoryId);
    await db
      .updateTable("annotations")
      .set({ shape: JSON.stringify({ size: [80, 100], counts: [0, 500, 7500] }), iscrowd: true })
      .where("id", "=", (eb) => eb.selectFrom("annotations").select(eb.fn.min("id").as("id")))
      .execute();
    const tabs = [new Tab(db, fixture), new Tab(db, fixture, bob)];
    const random = seededRandom(7);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const truth = new Map<number, unknown[]>();
    const known = new Map<string, boolean>();
    for (const { uuid } of await db.selectFrom("annotations").select("uuid").where("image_id", "=", imageId).execute())
      known.set(uuid, true);
    truth.set(1, await sceneNow(db, user, imageId));
    for (let turn = 0; turn < 40; turn++) {
      const tab = pick(tabs);
      const row = (uuid: string) =>
        db.selectFrom("annotations").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
      const live = [...known].filter(([, isLive]) => isLive).map(([uuid]) => uuid);
      const gone = [...known].filter(([, isLive]) => !isLive).map(([uuid]) => uuid);
      const kind = random();
      if (kind < 0.25 || live.length === 0) {
        const edit = tab.create({ rings: square(Math.floor(random() * 50), 5, 10) });
        expect((await tab.sendOne(edit)).status).toBe("applied");
        known.set(edit.target, true);
      } else if (kind < 0.4) {
        const target = pick(live);
        const { revision } = await row(target);
        // A call without a client, whose values before the edit are taken from the rows.
        expect((await tab.sendOne(tab.edit(target, "delete", revision))).status).toBe("applied");
        known.set(target, false);
      } else if (kind < 0.5 && gone.length > 0) {
        const target = pick(gone);
        const { revision } = await row(target);
        expect((await tab.sendOne(tab.edit(target, "create", revision, {}))).status).toBe("applied");
        known.set(target, true);
      } else {
        const target = pick(live);
        const now = (await momentAt(db, user, imageId, 1e9)).annotations.find(({ uuid }) => uuid === target)!;
        const [after, before] = pick([
          [
            { rings: square(Math.floor(random() * 60), Math.floor(random() * 40), 12), isbbox: random() < 0.3 },
            { rings: now.rings, isbbox: now.isbbox },
          ],
          [{ color: pick(["#111111", "#222222", "#333333"]) }, { color: now.color }],
          [{ category_id: pick([categoryId, other]) }, { category_id: now.category_id }],
          [{ metadata: { name: `n${turn}` } }, { metadata: now.metadata }],
        ]);
        expect((await tab.sendOne(tab.edit(target, "modify", now.revision, after, before))).status).toBe("applied");
      }
      truth.set((await imageRow(db, imageId)).revision, await sceneNow(db, user, imageId));
    }
    const moments = new Map<number, Moment>();
    for (const [revision, then] of truth) {
      const moment = await momentAt(db, user, imageId, revision);
      moments.set(revision, moment);
      expect([revision, moment.unknown, comparable(moment.annotations)]).toEqual([revision, [], then]);
    }
    // The versions of each annotation are those of the moments, read page by page.
    for (const uuid of known.keys()) {
      let before: number | undefined;
      do {
        const { versions, older } = await annotationVersions(db, user, { imageId, uuid, before });
        for (const { image_revision, annotation } of versions) {
          if (image_revision === null) continue;
          const then = moments.get(image_revision)!.annotations.find((each) => each.uuid === uuid);
          expect(comparable(annotation ? [annotation] : [])).toEqual(comparable(then ? [then] : []));
        }
        before = older ?? undefined;
      } while (before !== undefined);
    }
  });

  test("edits of one client within a second are one step, and bulk writes are steps of their own", async () => {
    const { db } = await open();
    const fixture = await makeEditFixture(db);
    const { user, imageId, categoryId } = fixture;
    const tab = new Tab(db, fixture);
    const edits = [tab.create(), tab.create(), tab.create()];
    await tab.send(edits);
    const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
    const id = await seedAnnotation(db, imageId, categoryId);
    await db
      .updateTable("annotations")
      .set({ created_at: later(10) as never })
      .where("id", "=", id)
      .execute();
    await db.updateTable("images").set({ revision: 5 }).where("id", "=", imageId).execute();
    const target = edits[0]!.target;
    await tab.sendOne(tab.edit(target, "modify", 1, { color: "#00ff00" }, { color: "#ff0000" }));
    await db
      .updateTable("edit_history")
      .set({ created_at: later(20) as never })
      .where("image_revision", "=", 6)
      .where("image_id", "=", imageId)
      .execute();
    const { revision, steps, older } = await historySteps(db, user, imageId);
    expect([revision, older]).toEqual([6, null]);
    expect(steps).toMatchObject([
      { kind: "edits", from: 6, to: 6, user: user.username, modified: 1, fields: ["color"], annotations: [target] },
      { kind: "bulk", from: 5, to: 5, created: 1, user: "" },
      { kind: "edits", from: 2, to: 4, created: 3, modified: 0, deleted: 0 },
    ] satisfies Partial<HistoryStep>[]);
    const counts = await Promise.all(
      [1, 4, 5, 6].map(async (at) => (await momentAt(db, user, imageId, at)).annotations.length),
    );
    expect(counts).toEqual([0, 3, 4, 4]);
    expect((await historySteps(db, user, imageId, 5)).steps.map((step) => step.to)).toEqual([4]);
  });

  test("a state whose record was deleted is said to be unknown", async () => {
    const { db } = await open();
    const fixture = await makeEditFixture(db);
    const { user, imageId } = fixture;
    const tab = new Tab(db, fixture);
    const edit = tab.create();
    await tab.sendOne(edit);
    await tab.sendOne(tab.edit(edit.target, "modify", 1, { color: "#00ff00" }, { color: "#ff0000" }));
    await db
      .updateTable("edit_history")
      .set({ created_at: new Date(Date.now() - 40 * 86_400_000) as never })
      .where("image_id", "=", imageId)
      .execute();
    await pruneHistory(db, 30);
    const young = tab.create();
    await tab.sendOne(young);
    expect(await momentAt(db, user, imageId, 2)).toMatchObject({ unknown: [edit.target], annotations: [] });
    expect((await momentAt(db, user, imageId, 3)).annotations).toMatchObject([{ uuid: edit.target, color: "#00ff00" }]);
    expect((await historySteps(db, user, imageId)).steps.map(({ kind, from }) => [kind, from])).toEqual([
      ["edits", 4],
      ["edits", 3],
      ["bulk", 2],
    ]);
    await expect(historySteps(db, await makeAccount(db, "eve"), imageId)).rejects.toMatchObject({ status: 404 });
    await expect(imageMoment(db, await makeAccount(db, "eve"), imageId, 3)).rejects.toMatchObject({ status: 404 });
    const none = await annotationVersions(db, user, { imageId, uuid: randomUUID() });
    expect(none).toEqual({ versions: [], older: null });
  });
});
