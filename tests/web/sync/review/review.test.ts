// @vitest-environment jsdom
import { randomUUID } from "node:crypto";
import Dexie from "dexie";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestError } from "../../../../shared/api/protocol/requestError";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import { journalNames, noteOldOwner, type Owner } from "../../../../web/io/journal/journalName";
import { wipeLocalData } from "../../../../web/io/logout";
import { reviewOf, syncOf } from "../../../../web/sync/currentSync";
import { countPendingSubjects } from "../../../../web/sync/journal/countPendingSubjects";

const BEFORE = "7d8aa9a8-6f5b-4b5c-9d58-6d2f5f0a3c11";
const AFTER = "11111111-6f5b-4b5c-9d58-6d2f5f0a3c11";

/** `installation` is its current id. `stored` lists the edits with the sender's user. */
const server = vi.hoisted(() => ({
  installation: "",
  isAway: false,
  stored: [] as { user: number; edit: { uuid: string; image_id: number; target: string } }[],
  sessions: [] as { uuid: string; image_id: number }[],
  scene: {} as object,
}));

vi.mock("../../../../web/io/http/request", () => ({
  RequestError,
  request: async (call: { path: string }, { body }: { body: Batch }) => {
    if (server.isAway) throw new RequestError(0, "", "away");
    if (call.path === "/annotator/data/{id}") return server.scene;
    if (body.installation !== server.installation)
      throw new RequestError(409, "Saving", "restored", undefined, null, "other_installation");
    server.stored.push(...body.edits.map((edit) => ({ user: body.user, edit })));
    server.sessions.push(...(body.sessions ?? []));
    return { answers: body.edits.map(({ uuid }) => ({ uuid, status: "applied", revision: 1 })) };
  },
}));

interface Batch {
  installation?: string;
  user: number;
  edits: AnnotationEdit[];
  sessions?: { uuid: string; image_id: number }[];
}

const PLACE = { dataset: "Town", path: "street.png", width: 640, height: 480, categories: { 3: "lamp" } };
const carol = (installation: string, userId = 5): Owner => ({ installation, userId, username: "carol" });
const dave = (installation: string): Owner => ({ installation, userId: 5, username: "dave" });

function box(target: string = randomUUID()): AnnotationEdit {
  const after = { category_id: 3, rings: [[[1, 1, 5, 1, 5, 5, 1, 5]]], isbbox: true, color: "#123456", metadata: {} };
  return {
    uuid: randomUUID(),
    image_id: 7,
    base: 0,
    subject: "annotation",
    target,
    action: "create",
    before: {},
    after,
  };
}

const groupsOf = async (owner: Owner) => {
  const review = reviewOf(owner);
  await review.refresh();
  return review.state.getState().groups ?? [];
};

beforeEach(() => {
  localStorage.clear();
  Object.assign(server, { installation: BEFORE, isAway: false, stored: [], sessions: [] });
  server.scene = {
    image: { id: 12, revision: 1, path: "street.png", width: 640, height: 480 },
    dataset: { name: "Town" },
    categories: [{ id: 31, name: "lamp", revision: 1, annotations: [] }],
  };
});
afterEach(async () => {
  for (const name of ["carol", "dave"]) await wipeLocalData(name);
  for (const name of await Dexie.getDatabaseNames()) await Dexie.delete(name);
});

/** Carol draws, and the server is restored before it has received anything. */
async function drawnBeforeRestore() {
  server.isAway = true;
  const sync = syncOf(carol(BEFORE));
  const edits = [box(), box()];
  await sync.record(edits, undefined, PLACE);
  await sync.flush();
  Object.assign(server, { isAway: false, installation: AFTER });
  return { sync, edits };
}

describe("edits made on another installation", () => {
  it("edits are refused by the new installation, kept, and not sent again by a tab that was open all the time", async () => {
    const { sync } = await drawnBeforeRestore();
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ phase: "otherInstallation", status: "for review", pending: 2 });
    await sync.record([box()], undefined, PLACE);
    await sync.flush();
    expect(server.stored).toEqual([]);
    expect(sync.state.getState()).toMatchObject({ phase: "otherInstallation", pending: 3 });
  });

  it("edits are counted by subject for the login page", async () => {
    const { sync, edits } = await drawnBeforeRestore();
    const target = edits[0]?.target;
    const change = { ...box(target), action: "modify" as const, after: { color: "#ffffff" } };
    await sync.record([change], undefined, PLACE);
    expect(await countPendingSubjects()).toBe(2);
    await groupsOf(carol(AFTER));
    expect(reviewOf(carol(AFTER)).state.getState().changes).toBe(2);
  });

  it("edits are found for review by the same username under another id, and applied to the image of that name", async () => {
    const { edits } = await drawnBeforeRestore();
    const me = carol(AFTER, 8);
    const [group] = await groupsOf(me);
    expect(group).toMatchObject({ imageId: 7, place: PLACE, counts: { annotations: 2, deleted: 0, others: 0 } });
    await syncOf(me).flush();
    expect(server.stored).toEqual([]);
    if (!group) throw new Error("no group");
    expect(await reviewOf(me).apply(group, 12)).toEqual({ kind: "applied", missing: [] });
    expect(server.stored).toMatchObject(
      edits.map(({ target }) => ({ user: 8, edit: { image_id: 12, target, after: { category_id: 31 } } })),
    );
    expect(await groupsOf(me)).toEqual([]);
  });

  it("edits are neither shown to nor sent by another user who received the id", async () => {
    await drawnBeforeRestore();
    const me = dave(AFTER);
    expect(await groupsOf(me)).toEqual([]);
    await syncOf(me).flush();
    await syncOf(me).record([{ ...box(), image_id: 9 }]);
    await syncOf(me).flush();
    expect(server.stored).toMatchObject([{ user: 5, edit: { image_id: 9 } }]);
    expect(await groupsOf(carol(AFTER, 8))).toHaveLength(1);
  });

  it("edits are included when drawn before the tab has left the image, and are never sent", async () => {
    const { sync } = await drawnBeforeRestore();
    const me = carol(AFTER);
    expect(await groupsOf(me)).toMatchObject([{ rows: [{}, {}] }]);
    await sync.record([box()], undefined, PLACE);
    await sync.flush();
    expect(server.stored).toEqual([]);
    expect(await groupsOf(me)).toMatchObject([{ rows: [{}, {}, {}] }]);
  });

  it("edits are applied once, though two tabs show them", async () => {
    await drawnBeforeRestore();
    const me = carol(AFTER);
    const [group] = await groupsOf(me);
    if (!group) throw new Error("no group");
    for (const _ of ["one tab", "another"]) await reviewOf(me).apply(group, 12);
    expect(server.stored).toHaveLength(2);
  });

  it("edits can be discarded together with their time spent", async () => {
    const { sync } = await drawnBeforeRestore();
    await sync.recordSession(work());
    const me = carol(AFTER);
    await reviewOf(me).discard(await groupsOf(me));
    expect(await groupsOf(me)).toEqual([]);
    await syncOf(me).flush();
    expect([server.stored, server.sessions]).toEqual([[], []]);
  });

  it("edits transfer the time spent on the image", async () => {
    const { sync } = await drawnBeforeRestore();
    const session = work();
    await sync.recordSession(session);
    const me = carol(AFTER);
    const [group] = await groupsOf(me);
    if (!group) throw new Error("no group");
    await reviewOf(me).apply(group, 12);
    await syncOf(me).flush();
    expect(server.sessions).toMatchObject([{ uuid: session.uuid, image_id: 12 }]);
  });

  it("edits stay for review while the server is unreachable", async () => {
    await drawnBeforeRestore();
    const me = carol(AFTER);
    const [group] = await groupsOf(me);
    if (!group) throw new Error("no group");
    server.isAway = true;
    await expect(reviewOf(me).apply(group, 12)).rejects.toThrow();
    expect(await groupsOf(me)).toHaveLength(1);
  });

  it("edits are sent again when the old installation returns", async () => {
    const { edits } = await drawnBeforeRestore();
    await groupsOf(carol(AFTER));
    server.installation = BEFORE;
    await syncOf(carol(BEFORE)).flush();
    expect(server.stored.map(({ edit }) => edit.uuid)).toEqual(edits.map(({ uuid }) => uuid));
  });

  it("edits are deleted when the user signs out", async () => {
    await drawnBeforeRestore();
    await groupsOf(carol(AFTER));
    await wipeLocalData("carol");
    expect(await journalNames()).toEqual([]);
  });
});

/**
 * Creates a journal with the name and schema of the version before ids: with its user's number, without an installation
 * and a username.
 */
async function oldJournal(userId: number): Promise<AnnotationEdit> {
  const dexie = new Dexie(`limn / ${userId}`);
  dexie.version(1).stores({ edits: "++seq, &uuid, [state+seq], image_id", sessions: "uuid", preferences: "key" });
  const edit = box();
  await dexie.table("edits").add({
    ...{ uuid: edit.uuid, client: "old-tab-1", image_id: 7, edit, saw: 0, state: "queued" },
  });
  dexie.close();
  return edit;
}

describe("a journal from before ids", () => {
  it("the journal is shown for review and not sent", async () => {
    const edit = await oldJournal(5);
    const me = carol(BEFORE);
    expect(await groupsOf(me)).toMatchObject([{ imageId: 7, place: undefined, rows: [{ uuid: edit.uuid }] }]);
    await syncOf(me).flush();
    expect(server.stored).toEqual([]);
  });

  it("belongs to the user whom the browser remembered under that id, not to the id's present owner", async () => {
    await oldJournal(5);
    noteOldOwner(5, "carol");
    noteOldOwner(5, "dave");
    expect(await groupsOf(dave(BEFORE))).toEqual([]);
    expect(await groupsOf(carol(BEFORE, 8))).toHaveLength(1);
  });

  it("the journal is applied by image id on the user's request, as a copy", async () => {
    const { target } = await oldJournal(5);
    const me = carol(BEFORE);
    const [group] = await groupsOf(me);
    if (!group) throw new Error("no group");
    server.scene = { ...server.scene, categories: [{ id: 3, name: "lamp", revision: 1, annotations: [] }] };
    await reviewOf(me).apply(group, 12);
    expect(server.stored).toMatchObject([{ edit: { image_id: 12, action: "create" } }]);
    expect(server.stored[0]?.edit.target).not.toBe(target);
  });
});

const work = () => ({
  ...{ uuid: randomUUID(), image_id: 7, annotation_uuid: null, start: 1_700_000_000_000, milliseconds: 5, tools: [] },
});
