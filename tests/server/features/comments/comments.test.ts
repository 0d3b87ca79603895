import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { CurrentUser } from "../../../../server/base/permissions";
import type { Schema } from "../../../../server/db/schema";
import { countUnread } from "../../../../server/features/comments/countUnread";
import { listThreads } from "../../../../server/features/comments/listThreads";
import { imageComments, markRead } from "../../../../server/features/comments/readComments";
import { catchUp } from "../../../../server/features/edits/catchUp";
import { historySteps } from "../../../../server/features/history/historySteps";
import { imagePage } from "../../../../server/features/images/imageList";
import { scenes } from "../../../../server/features/offline/scenes";
import { getScene } from "../../../../server/features/scene/getScene";
import { imageFilter } from "../../../../shared/api/datasets/datasetImages";
import { type CommentChange, type CommentEdit, change as changeSchema } from "../../../../shared/edits/edit";
import { type Comment, MAX_COMMENT } from "../../../../shared/entities/comment";
import { describeOnDatabases, type TestDatabase } from "../../../support/databases";
import { type EditFixture, imageRow, makeAccount, makeEditFixture, makeImage, Tab } from "../edits/editFixture";

const threads = { state: "open", about: "all", page: 1, limit: 50 } as const;

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

async function sceneComments(db: Kysely<Schema>, user: CurrentUser, imageId: number): Promise<Comment[] | undefined> {
  const listContext = imageFilter.parse({});
  const { json } = await getScene(db, user, { imageId, listContext, shape: "rings", annotating: [] }, () => false);
  return (JSON.parse(await textOf(json!)) as { comments?: Comment[] }).comments;
}

describeOnDatabases("comments", (open) => {
  let db: TestDatabase["db"];
  let fixture: EditFixture;
  let member: CurrentUser;
  let tab: Tab;
  let other: Tab;
  beforeAll(async () => {
    db = (await open()).db;
  });
  beforeEach(async () => {
    fixture = await makeEditFixture(db);
    member = await makeAccount(db, "Bob.b");
    await db.insertInto("dataset_members").values({ dataset_id: fixture.datasetId, user_id: member.id }).execute();
    tab = new Tab(db, fixture);
    other = new Tab(db, fixture, member);
  });

  const edit = (action: CommentEdit["action"], after: CommentChange, target: string = randomUUID(), base = 0) => ({
    ...{ uuid: randomUUID(), image_id: fixture.imageId, base, subject: "comment" as const, target, action },
    ...{ before: {}, after },
  });
  const pin = (text = "Is this a cat?", more: CommentChange = {}) => edit("create", { x: 10, y: 20, text, ...more });
  const reply = (thread: string, text = "No") => edit("create", { thread, text });
  const post = async (by: Tab, text?: string, more?: CommentChange) => {
    const sent = pin(text, more);
    expect(await by.sendOne(sent)).toMatchObject({ status: "applied", revision: 1 });
    return sent.target;
  };
  const commentsNow = async (user = fixture.user) => (await imageComments(db, user, fixture.imageId)).comments;
  const openThreads = async () => (await imageRow(db, fixture.imageId)).open_threads;

  test("stores a comment once, however often it is sent, and raises the image's revision", async () => {
    const sent = pin("Look @here", { x: -5, y: 1000 });
    expect(await tab.sendOne(sent)).toMatchObject({ status: "applied", revision: 1, image_revision: 2 });
    expect(await tab.sendOne(sent)).toMatchObject({ status: "seen", revision: 1 });
    expect(await tab.sendOne({ ...sent, uuid: randomUUID() })).toMatchObject({ status: "seen", revision: 1 });
    expect(await commentsNow()).toMatchObject([
      {
        uuid: sent.target,
        text: "Look @here",
        x: 0,
        y: 80,
        thread: null,
        resolved: false,
        deleted: false,
        revision: 1,
      },
    ]);
    expect(await openThreads()).toBe(1);
    expect(tab.events).toMatchObject([{ action: "modify", annotation: { id: 0, uuid: "" }, image_revision: 2 }]);
  });

  test("keeps every text as it was written", async () => {
    const texts = [
      "<img src=x onerror=alert(1)>'\"; drop table comments; --",
      "\u202eright to left\u202c שלום مرحبا",
      "👩‍👩‍👧‍👦 e\u0301 \t\r\n\n end ",
      "x".repeat(MAX_COMMENT),
    ];
    for (const text of texts) await post(tab, text);
    expect((await commentsNow()).map(({ text }) => text)).toEqual(texts);
    expect((await sceneComments(db, fixture.user, fixture.imageId))?.map(({ text }) => text)).toEqual(texts);
  });

  test("refuses texts that are empty, too long or not valid, and comments without text or place", async () => {
    const bad = ["", " \n\u00a0", "x".repeat(MAX_COMMENT + 1), "a\u0000b", "\ud800"].map((text) => pin(text));
    const answers = await tab.send([
      ...bad,
      edit("create", { x: 1, y: 1 }),
      edit("create", { text: "no place" }),
      edit("create", { text: "half a place", x: 1 }),
      pin("x", { x: Number.NaN }),
      reply(randomUUID()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => "refused"));
    expect(await commentsNow()).toEqual([]);
    expect((await imageRow(db, fixture.imageId)).revision).toBe(1);
  });

  test("anchors a thread to an annotation of the image, also to one that arrives later", async () => {
    const annotation = tab.create();
    const box: [number, number, number, number] = [10, 10, 20, 20];
    const later = randomUUID();
    const answers = await tab.send([
      annotation,
      pin("about it", { annotation: annotation.target, box }),
      pin("about a later one", { annotation: later }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["applied", "applied", "applied"]);
    expect(await commentsNow()).toMatchObject([
      { annotation: annotation.target, box },
      { annotation: later, box: null },
    ]);
  });

  test("refuses an annotation of another image as the anchor", async () => {
    const elsewhere = new Tab(db, { ...fixture, imageId: await makeImage(db, fixture.datasetId) });
    const annotation = elsewhere.create();
    await elsewhere.sendOne(annotation);
    expect(await tab.sendOne(pin("x", { annotation: annotation.target }))).toMatchObject({
      ...{ status: "refused", code: "not_found", reason: "This annotation does not exist in this image." },
    });
  });

  test("refuses a thread, and edits of a comment, of another image", async () => {
    const thread = await post(tab);
    const imageId = await makeImage(db, fixture.datasetId);
    const sent = [reply(thread), edit("modify", { resolved: true }, thread), edit("delete", {}, thread)];
    const answers = await tab.send(sent.map((each) => ({ ...each, image_id: imageId })));
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => ["refused", "not_found"]));
  });

  test("lets only the author change a text", async () => {
    const thread = await post(tab);
    expect(await other.sendOne(edit("modify", { text: "hacked" }, thread, 1))).toMatchObject({
      ...{ status: "refused", reason: "Only its author may change a comment." },
    });
    expect(await tab.sendOne(edit("modify", { text: "Better" }, thread, 1))).toMatchObject({ revision: 2 });
    const [comment] = await commentsNow();
    expect(comment).toMatchObject({ text: "Better", edited_at: expect.any(String) });
  });

  test("lets every member resolve and reopen a thread, but no reply", async () => {
    const thread = await post(tab);
    const answer = reply(thread);
    await other.sendOne(answer);
    expect(await other.sendOne(edit("modify", { resolved: true }, answer.target))).toMatchObject({ status: "refused" });
    expect(await other.sendOne(edit("modify", { resolved: true }, thread, 1))).toMatchObject({ status: "applied" });
    expect(await openThreads()).toBe(0);
    expect((await commentsNow())[0]).toMatchObject({ resolved: true, resolved_by: member.username });
    // Both users resolved it: no conflict, and no second revision.
    expect(await tab.sendOne(edit("modify", { resolved: true }, thread, 1))).toMatchObject({ revision: 2 });
    expect(await tab.sendOne(edit("modify", { resolved: false }, thread, 2))).toMatchObject({ revision: 3 });
    expect(await openThreads()).toBe(1);
    expect((await commentsNow())[0]).toMatchObject({ resolved: false, resolved_by: null });
  });

  test("lets the author and the dataset's owner delete a comment", async () => {
    const mine = await post(tab);
    const theirs = await post(other);
    expect(await other.sendOne(edit("delete", {}, mine))).toMatchObject({ status: "refused" });
    expect(await tab.sendOne(edit("delete", {}, theirs))).toMatchObject({ status: "applied", revision: 2 });
    expect(await tab.sendOne(edit("delete", {}, theirs))).toMatchObject({ status: "applied", revision: 2 });
    expect(await other.sendOne(edit("modify", { text: "too late" }, theirs))).toMatchObject({ status: "refused" });
    expect(await tab.sendOne(edit("create", {}, theirs))).toMatchObject({ status: "refused" });
    expect(await other.sendOne(edit("create", {}, theirs))).toMatchObject({ status: "applied", revision: 3 });
    expect((await commentsNow()).map(({ uuid }) => uuid)).toEqual([mine, theirs]);
  });

  test("keeps the replies of a deleted first comment, and hides its text", async () => {
    const thread = await post(tab, "secret");
    const answer = reply(thread, "An answer");
    await other.sendOne(answer);
    await tab.sendOne(edit("delete", {}, thread));
    expect(await commentsNow()).toMatchObject([{ deleted: true, text: "", x: 10 }, { text: "An answer" }]);
    expect(await openThreads()).toBe(1);
    await other.sendOne(edit("delete", {}, answer.target));
    expect(await commentsNow()).toEqual([]);
    expect(await openThreads()).toBe(0);
    // A reply that was written offline meanwhile brings the thread back.
    await other.sendOne(reply(thread, "Late"));
    expect(await commentsNow()).toMatchObject([{ deleted: true }, { text: "Late" }]);
  });

  test("refuses users who cannot see the dataset, and edits on a deleted image", async () => {
    const thread = await post(tab);
    const stranger = new Tab(db, fixture, await makeAccount(db));
    expect(await stranger.sendOne(reply(thread))).toMatchObject({ status: "refused", code: "image_not_found" });
    await expect(imageComments(db, stranger.user, fixture.imageId)).rejects.toMatchObject({ status: 404 });
    await expect(markRead(db, stranger.user, { thread, until: new Date().toISOString() })).rejects.toMatchObject({
      status: 404,
    });
    await db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", fixture.imageId).execute();
    expect(await tab.sendOne(reply(thread))).toMatchObject({ status: "refused", code: "image_not_found" });
    expect((await listThreads(db, fixture.user, { ...threads, dataset_id: fixture.datasetId })).threads).toEqual([]);
    await db.updateTable("images").set({ deleted_at: null }).where("id", "=", fixture.imageId).execute();
    expect(await commentsNow()).toHaveLength(1);
    await db.deleteFrom("images").where("id", "=", fixture.imageId).execute();
    expect(await db.selectFrom("comments").selectAll().where("uuid", "=", thread).execute()).toEqual([]);
  });

  test("sends changes of comments only to pages that can read them, and both at the image's revision", async () => {
    await tab.send([tab.create(), pin("Hm")]);
    const newer = await catchUp(db, member, fixture.imageId, 1, true);
    const older = await catchUp(db, member, fixture.imageId, 1);
    expect(newer.changes.map(({ subject }) => subject)).toEqual(["annotation", "comment"]);
    expect(changeSchema.safeParse(newer.changes[1]).success).toBe(true);
    expect(newer.changes[1]).toMatchObject({
      action: "create",
      fields: { text: "Hm", x: 10, creator: fixture.user.username },
    });
    expect(older.changes.map(({ subject }) => subject)).toEqual(["annotation"]);
    expect([newer.revision, older.revision]).toEqual([3, 3]);
  });

  test("appears in the image's history without its text", async () => {
    const thread = await post(tab);
    await other.sendOne(edit("modify", { resolved: true }, thread));
    const { steps } = await historySteps(db, member, fixture.imageId);
    expect(steps.map(({ user, fields, created }) => [user, fields, created])).toEqual([
      [member.username, ["comment resolved"], 0],
      [fixture.user.username, ["comment create"], 0],
    ]);
  });

  test("is in the scene and in copies of the image, and absent from those without comments", async () => {
    expect(await sceneComments(db, member, fixture.imageId)).toBeUndefined();
    const copyOf = async () =>
      JSON.parse(await textOf(scenes(db, fixture.datasetId, { ids: [fixture.imageId], withExtra: false }))).scenes[0];
    expect(await copyOf()).not.toHaveProperty("comments");
    const thread = await post(tab);
    expect(await sceneComments(db, member, fixture.imageId)).toMatchObject([{ uuid: thread }]);
    expect((await copyOf()).comments).toEqual(await commentsNow());
  });

  test("filters images by open threads, and numbers them", async () => {
    await makeImage(db, fixture.datasetId);
    const filter = { ...imageFilter.parse({}), comments: "open" as const };
    const list = () => imagePage(db, fixture.datasetId, filter, { offset: 0, limit: 10 });
    expect((await list()).rows).toEqual([]);
    const thread = await post(tab);
    await post(tab);
    expect((await list()).rows).toMatchObject([{ id: fixture.imageId, open_threads: 2 }]);
    await tab.sendOne(edit("modify", { resolved: true }, thread));
    expect((await list()).rows).toMatchObject([{ open_threads: 1 }]);
  });

  test("counts unread comments for the users whom they concern, until they are read", async () => {
    const unreadOf = async (user: CurrentUser) => (await countUnread(db, user)).unread;
    const bystander = await makeAccount(db, "eve");
    await db.insertInto("dataset_members").values({ dataset_id: fixture.datasetId, user_id: bystander.id }).execute();
    await post(tab, "to nobody");
    expect([await unreadOf(member), await unreadOf(bystander), await unreadOf(fixture.user)]).toEqual([0, 0, 0]);
    const thread = await post(tab, `(@${member.username.toUpperCase()}), please look.`);
    expect(tab.notified.at(-1)).toContain(member.id);
    expect([await unreadOf(member), await unreadOf(bystander)]).toEqual([1, 0]);
    expect(await countUnread(db, member)).toEqual({ unread: 1, datasets: [{ id: fixture.datasetId, unread: 1 }] });
    const about = (what: "me" | "mentions" | "unread") =>
      listThreads(db, member, { ...threads, about: what, dataset_id: fixture.datasetId });
    for (const what of ["me", "mentions", "unread"] as const)
      expect((await about(what)).threads).toMatchObject([
        { uuid: thread, image_id: fixture.imageId, unread: 1, mentions_me: true, comments: 1, resolved: false },
      ]);
    const [first] = (await commentsNow(member)).filter(({ uuid }) => uuid === thread);
    await markRead(db, member, { thread, until: first!.created_at });
    expect(await unreadOf(member)).toBe(0);
    expect((await imageComments(db, member, fixture.imageId)).read).toEqual([{ thread, until: first!.created_at }]);
    expect((await about("unread")).threads).toEqual([]);
    await other.sendOne(reply(thread, "done"));
    expect([await unreadOf(member), await unreadOf(fixture.user)]).toEqual([0, 1]);
    expect(other.notified.at(-1)).toEqual([fixture.user.id]);
  });

  test("mentions only users who may see the dataset", async () => {
    const stranger = await makeAccount(db, "mallory");
    const admin = await makeAccount(db, "root", true);
    const uuid = await post(
      tab,
      `@${stranger.username} @${admin.username} @${member.username}. x@${fixture.user.username}`,
    );
    const row = await db.selectFrom("comments").select("mentions").where("uuid", "=", uuid).executeTakeFirstOrThrow();
    expect(row.mentions.toSorted()).toEqual([admin.id, member.id].toSorted());
    await tab.sendOne(edit("modify", { text: "nobody" }, uuid));
    expect(
      (await db.selectFrom("comments").select("mentions").where("uuid", "=", uuid).executeTakeFirst())?.mentions,
    ).toEqual([]);
  });

  test("lists threads page by page, those with the newest comments first", async () => {
    const first = await post(tab, "one");
    const second = await post(tab, "two");
    await other.sendOne(reply(first, "newest"));
    const resolved = await post(tab, "three");
    await tab.sendOne(edit("modify", { resolved: true }, resolved));
    const list = async (more: object) => {
      const { threads: rows, pagination } = await listThreads(db, member, {
        ...threads,
        dataset_id: fixture.datasetId,
        ...more,
      });
      return [pagination.total, ...rows.map(({ uuid }) => uuid)];
    };
    expect(await list({})).toEqual([2, first, second]);
    expect(await list({ limit: 1, page: 2 })).toEqual([2, second]);
    expect(await list({ state: "resolved" })).toEqual([1, resolved]);
    expect(await list({ state: "all" })).toEqual([3, resolved, first, second]);
    const { threads: rows } = await listThreads(db, member, { ...threads, dataset_id: fixture.datasetId });
    expect(rows[0]).toMatchObject({ comments: 2, last: { text: "newest", creator: member.username } });
  });
});
