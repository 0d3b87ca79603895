import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AnnotationEdit, Edit, EditAnswer, EditBatch } from "../../../../shared/edits/edit";
import { Journal } from "../../../../web/sync/journal/journal";
import { isBarred, isOfMissingImage, subjectsOf } from "../../../../web/sync/journal/syncState";
import { Sync } from "../../../../web/sync/push/sync";
import { eventually } from "../../../support/eventually";

/** A server that stores what it receives, and can be switched off. */
class Server {
  status = 200;
  readonly stored = new Map<string, number>();
  readonly batches: EditBatch[] = [];
  readonly preferences: Record<string, unknown> = {};
  answer: (edit: AnnotationEdit) => Partial<EditAnswer> = () => ({});

  readonly send = async (batch: EditBatch) => {
    await Promise.resolve();
    if (this.status !== 200) throw Object.assign(new Error("no"), { status: this.status });
    this.batches.push(batch);
    Object.assign(this.preferences, batch.preferences ?? {});
    const answers = (batch.edits as AnnotationEdit[]).map((edit): EditAnswer => {
      const status = this.stored.has(edit.uuid) ? "seen" : "applied";
      this.stored.set(edit.uuid, this.stored.size + 1);
      return { uuid: edit.uuid, status, revision: this.stored.size, ...this.answer(edit) };
    });
    return { answers };
  };
}

const opened: Sync[] = [];
function open(server: Server, name = randomUUID()): Sync {
  const sync = new Sync(name, server.send);
  opened.push(sync);
  return sync;
}

function edit(target = randomUUID(), base = 0): AnnotationEdit {
  const after = { color: "#123456" };
  return { uuid: randomUUID(), image_id: 3, base, subject: "annotation", target, action: "modify", before: {}, after };
}

const targetOf = (made: Edit) => (made.subject === "annotation" ? made.target : "");

/** Fails every write after the next one, as if the page were closed. */
function onlyOneMoreWrite(): void {
  const { add, delete: remove } = IDBObjectStore.prototype;
  let writes = 0;
  const count = () => {
    if (++writes > 1) throw new DOMException("The page is gone.", "AbortError");
  };
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(function (this: IDBObjectStore, ...what) {
    count();
    return add.apply(this, what);
  });
  vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(function (this: IDBObjectStore, ...what) {
    count();
    return remove.apply(this, what);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const sync of opened.splice(0)) sync.close();
});

describe("Sync", () => {
  it("stores edits that wait to be written when it is closed", async () => {
    const [server, name] = [new Server(), randomUUID()];
    const sync = open(server, name);
    const made = [edit(), edit(), edit()];
    const recorded = Promise.all(made.map((each) => sync.record([each])));
    sync.close();
    await recorded;
    expect(await open(server, name).pendingOf(3)).toEqual(made);
  });

  it("stores an edit in the browser before it is sent, and shows saved once the server has it", async () => {
    const server = new Server();
    server.status = 0;
    const sync = open(server);
    await sync.record([edit()]);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 1, status: "offline" }));
    server.status = 200;
    await sync.flush();
    expect(server.stored.size).toBe(1);
    expect(sync.state.getState()).toMatchObject({ pending: 0, status: "saved" });
  });

  it("never shows saved while an edit is still being journalled", async () => {
    const sync = open(new Server());
    await sync.flush();
    expect(sync.state.getState().status).toBe("saved");
    const kept = sync.record([edit()]);
    expect(sync.state.getState().status).toBe("saving");
    await kept;
    await sync.flush();
    expect(sync.state.getState().status).toBe("saved");
  });

  it("sends thousands of pending edits, each once, and a conflict reaches a much later edit of the same subject", async () => {
    const server = new Server();
    server.status = 0;
    const sync = open(server);
    const [first, last] = [edit("a1b2c3d4-0000-4000-8000-000000000001"), edit("a1b2c3d4-0000-4000-8000-000000000001")];
    const edits = [first, ...Array.from({ length: 1800 }, () => edit()), last];
    await sync.record(edits);
    server.answer = ({ uuid }) => (uuid === first.uuid ? { status: "conflict", fields: ["color"], stored: {} } : {});
    server.status = 200;
    await sync.flush();
    expect(server.batches.flatMap((batch) => batch.edits)).toEqual(edits.slice(0, -1));
    expect(sync.state.getState()).toMatchObject({ pending: 0, status: "conflict" });
    expect(sync.state.getState().conflicts.map((draft) => draft.edit.uuid)).toEqual([first.uuid, last.uuid]);
  });

  it("removes thousands of acknowledged edits from the browser at once", async () => {
    const server = new Server();
    server.status = 0;
    const sync = open(server);
    await sync.record(Array.from({ length: 1800 }, () => edit()));
    const kept = vi.spyOn(Journal.prototype, "settle");
    server.status = 200;
    await sync.flush();
    expect(server.batches.filter(({ edits }) => edits.length > 0)).toHaveLength(4);
    expect(kept.mock.calls.map(([done]) => done.length)).toEqual([1800]);
  });

  it("shows many edits as saved when the server has them, while the browser still stores the outcome", async () => {
    const server = new Server();
    let release = () => {};
    const stored = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sync = new Sync(randomUUID(), server.send, () => stored);
    opened.push(sync);
    const [conflicting, ...others] = Array.from({ length: 700 }, () => edit());
    server.answer = ({ uuid }) => (uuid === conflicting?.uuid ? { status: "conflict", fields: [], stored: {} } : {});
    void sync.record(others);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 0, status: "saved" }));
    void sync.record([edit(), conflicting!]);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 2, status: "saving" }));
    release();
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ pending: 0, status: "conflict" });
    expect(server.stored.size).toBe(701);
  });

  it("shows edits as pending again if the browser cannot store the outcome", async () => {
    const server = new Server();
    const sync = open(server);
    const settling = vi.spyOn(Journal.prototype, "settle").mockRejectedValue(new Error("The storage is full."));
    await sync.record(Array.from({ length: 200 }, () => edit()));
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ pending: 200, status: "failing" });
    settling.mockRestore();
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ pending: 0, status: "saved" });
    expect(server.stored.size).toBe(200);
  });

  it("stores the outcome of the edits that were sent before the server could no longer be reached", async () => {
    const server = new Server();
    server.status = 0;
    const sync = open(server);
    await sync.record(Array.from({ length: 800 }, () => edit()));
    server.status = 200;
    server.answer = () => {
      if (server.stored.size === 500) server.status = 0;
      return {};
    };
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ pending: 300, status: "offline" });
  });

  it("sends after a reload the edits that an earlier page could not send, as that page's client and in order", async () => {
    const server = new Server();
    const name = randomUUID();
    server.status = 503;
    const first = open(server, name);
    const edits = Array.from({ length: 250 }, () => edit());
    for (const each of edits) await first.record([each]);
    first.close();
    server.status = 200;
    const second = open(server, name);
    await eventually(() => expect(server.stored.size).toBe(250));
    await eventually(() => expect(second.state.getState().pending).toBe(0));
    expect([...server.stored.keys()]).toEqual(edits.map(({ uuid }) => uuid));
    expect(new Set(server.batches.filter(({ edits }) => edits.length).map(({ client }) => client))).toEqual(
      new Set([first.client]),
    );
  });

  it("keeps the queue when the session has ended, and reports it continuously until a request succeeds", async () => {
    const server = new Server();
    server.status = 401;
    const sync = open(server);
    await sync.record([edit()]);
    await eventually(() =>
      expect(sync.state.getState()).toMatchObject({ phase: "signedOut", pending: 1, status: "signed out" }),
    );
    const phases = new Set<string>();
    const stop = sync.state.subscribe(({ phase }) => phases.add(phase));
    await sync.record([edit()]);
    await sync.flush();
    expect([...phases]).toEqual(["signedOut"]);
    stop();
    server.status = 200;
    await sync.flush();
    expect(server.stored.size).toBe(2);
    expect(sync.state.getState()).toMatchObject({ phase: "idle", pending: 0, status: "saved" });
  });

  it("distinguishes a server that responds with errors from an unreachable one", async () => {
    const server = new Server();
    server.status = 500;
    const sync = open(server);
    await sync.record([edit()]);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 1, status: "failing" }));
  });

  it("turns an edit into a conflict if it was made while the previous one was about to conflict", async () => {
    const server = new Server();
    const [first, second] = [
      edit("a1b2c3d4-0000-4000-8000-000000000001"),
      edit("a1b2c3d4-0000-4000-8000-000000000001"),
    ];
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = new Sync(randomUUID(), async (batch) => {
      arrive();
      await released;
      return server.send(batch);
    });
    opened.push(late);
    server.answer = () => ({ status: "conflict", reason: "Another user changed this meanwhile." });
    const rejected: string[] = [];
    late.onAnswer(({ uuid }, { status }) => void (status !== "applied" && rejected.push(uuid)));
    await late.record([first]);
    await arrived;
    await late.record([second]);
    release();
    await late.flush();
    expect(server.batches.flatMap(({ edits }) => edits)).toEqual([first]);
    const { conflicts } = late.state.getState();
    expect(conflicts.map((draft) => draft.edit.uuid)).toEqual([first.uuid, second.uuid]);
    // The page must not show the second one any longer either.
    expect(rejected).toEqual([first.uuid, second.uuid]);
    await late.resolve(conflicts, "theirs");
    expect(late.state.getState()).toMatchObject({ pending: 0, conflicts: [], status: "saved" });
  });

  it("shows a conflict and sends the user's version again on the live revision, or drops it", async () => {
    const server = new Server();
    const [kept, dropped] = [edit(), edit()];
    server.answer = ({ uuid, base }) =>
      (uuid === kept.uuid || uuid === dropped.uuid) && base === 0
        ? { status: "conflict", fields: ["color"], stored: { revision: 12 }, reason: "bob was faster" }
        : {};
    const sync = open(server);
    await sync.record([kept, dropped]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(2));
    expect(sync.state.getState().status).toBe("conflict");
    const [mine, theirs] = sync.state.getState().conflicts;
    if (!mine || !theirs) throw new Error("two conflicts expected");
    await sync.resolve([mine], "mine");
    await sync.resolve([theirs], "theirs");
    await eventually(() => expect(sync.state.getState()).toMatchObject({ status: "saved", conflicts: [] }));
    const last = server.batches.flatMap(({ edits }) => edits as AnnotationEdit[]).at(-1);
    expect(last).toMatchObject({ base: 12, target: kept.target, after: kept.after });
    expect(last?.uuid).not.toBe(kept.uuid);
  });

  it("keeps the user's version by creating a deleted annotation again, or changing an existing one", async () => {
    const server = new Server();
    const deleted = edit();
    const there: AnnotationEdit = { ...edit(), action: "create" };
    server.answer = ({ uuid }) => {
      if (uuid === deleted.uuid) return { status: "conflict", fields: ["color"], stored: null, revision: 7 };
      return uuid === there.uuid ? { status: "conflict", fields: ["color"], stored: { revision: 9 }, revision: 9 } : {};
    };
    const sync = open(server);
    await sync.record([deleted, there]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(2));
    for (const draft of sync.state.getState().conflicts) await sync.resolve([draft], "mine");
    await eventually(() => expect(sync.state.getState()).toMatchObject({ status: "saved", conflicts: [] }));
    const sent = server.batches.flatMap(({ edits }) => edits as AnnotationEdit[]);
    const last = (target: string) => sent.findLast((each) => each.target === target);
    expect(last(deleted.target)).toMatchObject({ action: "create", base: 7, after: deleted.after });
    expect(last(there.target)).toMatchObject({ action: "modify", base: 9, after: there.after });
  });

  it("resolves all conflicts of an annotation at once", async () => {
    const server = new Server();
    const [made, left, other] = [randomUUID(), randomUUID(), randomUUID()];
    const drafts = [made, left].flatMap((target) => [
      { ...edit(target), action: "create" as const, after: { category_id: 4, rings: [] } },
      edit(target),
    ]);
    const all = [...drafts, edit(other)];
    server.answer = ({ uuid }) => (all.some((each) => each.uuid === uuid) ? { status: "refused", reason: "no" } : {});
    const sync = open(server);
    await sync.record(all);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(5));
    const about = (target: string) => sync.state.getState().conflicts.filter(({ edit }) => target === targetOf(edit));
    const [, second] = about(made);
    const [first] = about(left);
    if (!first || !second) throw new Error("two conflicts of each expected");
    await sync.resolve([second], "mine");
    await sync.resolve([first], "theirs");
    await sync.flush();
    expect([made, left, other].map((target) => about(target).length)).toEqual([0, 0, 1]);
    const sent = server.batches.flatMap(({ edits }) => edits as AnnotationEdit[]).slice(all.length);
    expect(sent).toMatchObject([
      { target: made, action: "create", after: { category_id: 4, rings: [], color: "#123456" } },
    ]);
  });

  it("keeps both versions: the user's as a new annotation; an edit that cannot be copied stays in conflict", async () => {
    const server = new Server();
    const [copied, unknown] = [edit(), edit()];
    const refused = [copied.uuid, unknown.uuid];
    server.answer = ({ uuid }) =>
      refused.includes(uuid) ? { status: "conflict", fields: ["color"], stored: { revision: 9 }, revision: 9 } : {};
    const whole = { category_id: 4, rings: [], isbbox: false, color: "#123456", metadata: {}, keypoints: null };
    const sync = open(server);
    await sync.record([copied], new Map([[copied.target, whole]]));
    await sync.record([unknown]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(2));
    await sync.resolve(sync.state.getState().conflicts, "both");
    await sync.flush();
    const last = server.batches.at(-1)?.edits.at(-1) as AnnotationEdit;
    expect(last).toMatchObject({ action: "create", base: 0, after: { ...whole, ...copied.after } });
    expect(last.target).not.toBe(copied.target);
    expect(sync.state.getState().conflicts.map((conflict) => conflict.edit.uuid)).toEqual([unknown.uuid]);
  });

  it("creates an annotation that the server has lost again, with all fields, also after a reload", async () => {
    const server = new Server();
    const one = edit();
    server.answer = ({ uuid }) => (uuid === one.uuid ? { status: "refused", reason: "gone", revision: 0 } : {});
    const name = randomUUID();
    const whole = { category_id: 4, rings: [], isbbox: false, color: "#123456", metadata: {}, keypoints: null };
    const first = open(server, name);
    await first.record([one], new Map([[one.target, whole]]));
    await eventually(() => expect(first.state.getState().conflicts).toHaveLength(1));
    first.close();
    const sync = open(server, name);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(1));
    for (const draft of sync.state.getState().conflicts) await sync.resolve([draft], "mine");
    await sync.flush();
    const last = server.batches.flatMap(({ edits }) => edits as AnnotationEdit[]).at(-1);
    expect(last).toMatchObject({ action: "create", base: 0, target: one.target, after: whole });
  });

  it("keeps the user's version of one subject as one edit, so that a deleted one is created again once", async () => {
    const server = new Server();
    const [color, name] = [edit(), edit()];
    Object.assign(name, { target: color.target, after: { metadata: { name: "Rex" } } });
    const drafts: string[] = [color.uuid, name.uuid];
    server.answer = ({ uuid }) => (drafts.includes(uuid) ? { status: "conflict", stored: null, revision: 7 } : {});
    const sync = open(server);
    await sync.record([color, name]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(2));
    await sync.resolve(sync.state.getState().conflicts, "mine");
    await eventually(() => expect(sync.state.getState()).toMatchObject({ status: "saved", conflicts: [] }));
    const [last, ...others] = server.batches.flatMap(({ edits }) => edits as AnnotationEdit[]).slice(2);
    expect(others).toEqual([]);
    expect(last).toMatchObject({ action: "create", base: 7, after: { ...color.after, ...name.after } });
  });

  it("keeps edits of a viewer with the reason, sends other edits, and sends the former again after a promotion", async () => {
    const server = new Server();
    const [barred, other] = [edit(), edit()];
    const refused = { status: "refused", reason: "You may only look.", code: "read_only" } as const;
    server.answer = ({ uuid }) => (uuid === barred.uuid ? refused : {});
    const sync = open(server);
    await sync.record([barred, other]);
    const drafts = () => sync.state.getState().conflicts;
    await eventually(() => expect(drafts()).toHaveLength(1));
    expect(sync.state.getState()).toMatchObject({ status: "conflict", pending: 0 });
    expect([isBarred(drafts()), isOfMissingImage(drafts()), drafts()[0]?.reason]).toEqual([
      true,
      false,
      refused.reason,
    ]);
    server.answer = () => ({});
    await sync.resolve(drafts(), "again");
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ status: "saved", conflicts: [], pending: 0 });
  });

  it("sends edits of a missing image again as they were made, in order", async () => {
    const server = new Server();
    const first = edit();
    const edits = [first, { ...edit(), target: first.target }, edit()];
    server.answer = () => ({ status: "refused", reason: "This image does not exist.", code: "image_not_found" });
    const sync = open(server);
    await sync.record(edits);
    const drafts = () => sync.state.getState().conflicts;
    await eventually(() => expect(drafts()).toHaveLength(3));
    expect(subjectsOf(drafts()).map((subject) => subject.length)).toEqual([2, 1]);
    expect(subjectsOf(drafts()).map(isOfMissingImage)).toEqual([true, true]);
    await sync.resolve(drafts(), "again");
    await sync.flush();
    expect(drafts().map(({ code }) => code)).toEqual(Array(3).fill("image_not_found"));
    expect(drafts().map(({ edit }) => edit)).toEqual(edits);
    server.answer = () => ({});
    server.batches.length = 0;
    await sync.resolve(drafts(), "again");
    await sync.flush();
    expect(server.batches).toMatchObject([{ client: sync.client, edits }]);
    expect(sync.state.getState()).toMatchObject({ status: "saved", conflicts: [], pending: 0 });
  });

  it("turns an edit that the server refuses into a conflict, and sends the edits around it", async () => {
    const server = new Server();
    const edits = Array.from({ length: 5 }, () => edit());
    const send = server.send;
    const picky = async (batch: EditBatch) => {
      const has = (batch.edits as AnnotationEdit[]).some(({ uuid }) => uuid === edits[2]?.uuid);
      if (has) throw Object.assign(new Error("too strange"), { status: 400 });
      return send(batch);
    };
    const sync = new Sync(randomUUID(), picky);
    opened.push(sync);
    await sync.record(edits);
    await eventually(() => expect(server.stored.size).toBe(4));
    await eventually(() => expect(sync.state.getState().pending).toBe(0));
    expect(sync.state.getState().conflicts).toMatchObject([{ reason: "too strange" }]);
  });

  it("keeps the queue if an intermediary such as a proxy returns 404", async () => {
    const server = new Server();
    server.status = 404;
    const sync = open(server);
    await sync.record([edit(), edit()]);
    await eventually(() =>
      expect(sync.state.getState()).toMatchObject({ phase: "failing", pending: 2, conflicts: [] }),
    );
    server.status = 200;
    await sync.flush();
    expect(server.stored.size).toBe(2);
    server.status = 405;
    await sync.recordPreferences({ polygon: { guidance: true } });
    await sync.flush();
    server.status = 200;
    await sync.flush();
    expect(server.preferences).toEqual({ polygon: { guidance: true } });
  });

  it("notifies the page of an edit that can never be sent", async () => {
    const server = new Server();
    server.status = 400;
    const sync = open(server);
    const received: [string, string, unknown][] = [];
    sync.onAnswer(({ uuid }, { status, reason }) => received.push([uuid, status, reason]));
    const one = edit();
    await sync.record([one]);
    await eventually(() => expect(received).toEqual([[one.uuid, "refused", "no"]]));
  });

  it("keeps the user's version without its former values: the user has seen the current ones", async () => {
    const server = new Server();
    const one: AnnotationEdit = { ...edit(), before: { color: "#ff0000" } };
    server.answer = ({ uuid }) =>
      uuid === one.uuid ? { status: "conflict", fields: ["color"], stored: { revision: 12 } } : {};
    const sync = open(server);
    await sync.record([one]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(1));
    for (const draft of sync.state.getState().conflicts) await sync.resolve([draft], "mine");
    await sync.flush();
    const last = server.batches.flatMap(({ edits }) => edits as AnnotationEdit[]).at(-1);
    expect(last).toMatchObject({ base: 12, before: {}, after: one.after });
    expect(last?.before).toEqual({});
  });

  it("notifies the page of the outcome of its edits", async () => {
    const server = new Server();
    const sync = open(server);
    const received: [string, string][] = [];
    sync.onAnswer(({ uuid }, { status }) => received.push([uuid, status]));
    const one = edit();
    await sync.record([one]);
    await eventually(() => expect(received).toEqual([[one.uuid, "applied"]]));
  });

  it("applies pending edits to an image that is opened again", async () => {
    const server = new Server();
    server.status = 0;
    const name = randomUUID();
    const sync = open(server, name);
    const one = edit();
    await sync.record([one, { ...edit(), image_id: 4 }]);
    sync.close();
    expect(await open(server, name).pendingOf(3)).toEqual([one]);
  });

  it("sends preferences, the last value of each key", async () => {
    const server = new Server();
    const sync = open(server);
    await sync.recordPreferences({ polygon: { guidance: true } });
    await sync.recordPreferences({ polygon: { guidance: false } });
    await sync.flush();
    expect(server.preferences).toEqual({ polygon: { guidance: false } });
    expect(new Set(server.batches.map(({ client }) => client))).toEqual(new Set([sync.client]));
  });

  it("does not drop preferences for a reset before those on their way to the server have arrived", async () => {
    const server = new Server();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sent = vi.fn(async (batch: EditBatch) => {
      await held;
      return server.send(batch);
    });
    const sync = new Sync(randomUUID(), sent);
    opened.push(sync);
    await sync.recordPreferences({ polygon: { guidance: true } });
    void sync.flush();
    await eventually(() => expect(sent).toHaveBeenCalledOnce());
    let atReset: object | undefined;
    const dropped = sync.dropPreferences().then(() => {
      atReset = { ...server.preferences };
    });
    await eventually(async () => expect(await sync.unsentPreferences()).toEqual({}));
    release();
    await dropped;
    expect(atReset).toEqual({ polygon: { guidance: true } });
    expect(sent).toHaveBeenCalledOnce();
  });

  it("prevents two tabs that have not seen each other's edits from overwriting each other", async () => {
    const server = new Server();
    server.status = 0;
    const name = randomUUID();
    const [one, two] = [open(server, name), open(server, name)];
    const target = randomUUID();
    const edits = [edit(target), edit(target), edit(target)] as const;
    await one.record([edits[0]]);
    await two.record([edits[1]]);
    await two.record([edits[2]]);
    server.status = 200;
    await Promise.all([one.flush(), two.flush()]);
    await eventually(() => expect(server.stored.size).toBe(3));
    const blind = server.batches.find(({ client }) => client === two.client);
    expect(blind?.edits).toMatchObject([{ base: 0 }, { base: 0 }]);
  });

  it("has the user's version stored at every moment while a conflict is resolved", async () => {
    const server = new Server();
    const one = edit();
    server.answer = ({ uuid }) => (uuid === one.uuid ? { status: "conflict", fields: ["color"], stored: null } : {});
    const name = randomUUID();
    const sync = open(server, name);
    await sync.record([one]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(1));
    const [draft] = sync.state.getState().conflicts;
    if (!draft) throw new Error("a conflict expected");
    server.status = 0;
    onlyOneMoreWrite();
    await sync.resolve([draft], "mine").catch(() => undefined);
    sync.close();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    const next = open(server, name);
    await eventually(() => {
      const { pending, conflicts } = next.state.getState();
      expect(pending + conflicts.length).toBeGreaterThan(0);
    });
  });

  it("runs again when requested at the very end of its sending", async () => {
    let looks = 0;
    const request = (_: string, work: () => unknown) => {
      looks++;
      return work();
    };
    vi.stubGlobal("navigator", { locks: { request } });
    const sync = open(new Server());
    for (let sign = 1; sign <= 2; sign++)
      for (let turns = 0; turns < 12; turns++) {
        await sync.flush();
        let signs = 0;
        let before = 0;
        const stop = sync.state.subscribe(async () => {
          if (++signs !== sign) return;
          for (let turn = 0; turn < turns; turn++) await undefined;
          before = looks;
          void sync.flush();
        });
        await sync.flush();
        await new Promise((resolve) => setTimeout(resolve));
        await sync.flush();
        stop();
        // Its own check, and the requested one.
        if (before > 0) expect(looks - before, `${turns} turns after sign ${sign}`).toBeGreaterThanOrEqual(2);
      }
  });

  it("leaves nothing in the browser when it is cleared", async () => {
    const server = new Server();
    server.status = 0;
    const name = randomUUID();
    const sync = open(server, name);
    await sync.record([edit()]);
    await sync.wipe();
    expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name);
  });
});
