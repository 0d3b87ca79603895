import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnnotationEdit, EditAnswer, EditBatch } from "../../../../shared/edits/edit";
import { Sync } from "../../../../web/sync/push/sync";
import { eventually } from "../../../support/eventually";

/** The server's response to an edit: a result, or the status of a call that fails because of it. */
type Verdict = Partial<EditAnswer> | number;

let status = 200;
let verdict: (edit: AnnotationEdit) => Verdict = () => ({});
let most = Number.POSITIVE_INFINITY;
let stored: AnnotationEdit[] = [];
const opened: Sync[] = [];

async function send(batch: EditBatch) {
  await Promise.resolve();
  const fail = (code: number) => Object.assign(new Error(`failed with ${code}`), { status: code });
  const edits = batch.edits as AnnotationEdit[];
  if (status !== 200) throw fail(status);
  if (edits.length > most) throw fail(413);
  for (const edit of edits) {
    const code = verdict(edit);
    if (typeof code === "number") throw fail(code);
  }
  const answers = edits.map((edit): EditAnswer => {
    const answer: EditAnswer = { uuid: edit.uuid, status: "applied", revision: 1, ...(verdict(edit) as object) };
    if (answer.status === "applied") stored.push(edit);
    return answer;
  });
  return { answers };
}

function open(name = randomUUID()): Sync {
  const sync = new Sync(name, send);
  opened.push(sync);
  return sync;
}

function edit(change: Partial<AnnotationEdit> = {}): AnnotationEdit {
  return {
    uuid: randomUUID(),
    image_id: 3,
    base: 0,
    subject: "annotation",
    target: randomUUID(),
    action: "modify",
    before: {},
    after: { color: "#123456" },
    ...change,
  };
}

/** Makes the browser refuse new writes from now on. */
function fillDisk(): { mockRestore: () => void } {
  return vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => {
    throw new DOMException("The disk is full.", "QuotaExceededError");
  });
}

beforeEach(() => {
  status = 200;
  verdict = () => ({});
  most = Number.POSITIVE_INFINITY;
  stored = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const sync of opened.splice(0)) sync.close();
});

describe("edits that the browser cannot store", () => {
  it("edits are reported as only in memory, until the server has them", async () => {
    status = 0;
    fillDisk();
    const sync = open();
    await sync.record([edit()]);
    await eventually(() =>
      expect(sync.state.getState()).toMatchObject({ memoryOnly: true, pending: 1, status: "not kept" }),
    );
    status = 200;
    await sync.flush();
    expect(stored).toHaveLength(1);
    expect(sync.state.getState()).toMatchObject({ memoryOnly: false, pending: 0, status: "saved" });
  });

  it("edits are sent after the edits journalled before", async () => {
    status = 0;
    const sync = open();
    const create = edit({ action: "create" });
    const modify = edit({ target: create.target });
    await sync.record([create]);
    fillDisk();
    await sync.record([modify]);
    status = 200;
    await sync.flush();
    expect(stored).toEqual([create, modify]);
  });

  it("edits stay in the order in which they were made, if the first of two writes fails", async () => {
    const sync = open();
    await sync.flush();
    const create = edit({ action: "create" });
    const modify = edit({ target: create.target });
    vi.spyOn(IDBObjectStore.prototype, "add").mockImplementationOnce(() => {
      throw new DOMException("The disk is full.", "QuotaExceededError");
    });
    await Promise.all([sync.record([create]), sync.record([modify])]);
    await sync.flush();
    expect(stored).toEqual([create, modify]);
  });

  it("edits wait for the edits journalled before, even if the browser cannot record the responses", async () => {
    status = 0;
    const sync = open();
    const create = edit({ action: "create" });
    const modify = edit({ target: create.target });
    await sync.record([create]);
    fillDisk();
    await sync.record([modify]);
    await sync.flush();
    const broken = vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
      throw new DOMException("The disk is full.", "QuotaExceededError");
    });
    status = 200;
    await sync.flush();
    expect(stored).toEqual([create]);
    expect(sync.state.getState()).toMatchObject({ phase: "failing", pending: 2 });
    broken.mockRestore();
    await sync.flush();
    expect(stored).toEqual([create, create, modify]);
  });

  it("edits are journalled as soon as possible, also after they became conflicts", async () => {
    const name = randomUUID();
    const sync = open(name);
    const disk = fillDisk();
    verdict = () => 400;
    await sync.record([edit()]);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ memoryOnly: true, status: "conflict" }));
    await sync.flush();
    disk.mockRestore();
    await sync.flush();
    const { conflicts, memoryOnly } = sync.state.getState();
    expect([conflicts.length, memoryOnly]).toEqual([1, false]);
    sync.close();
    const next = open(name);
    await eventually(() => expect(next.state.getState().conflicts).toEqual(conflicts));
  });

  it("edits are journalled as soon as possible, before later ones", async () => {
    status = 0;
    const name = randomUUID();
    const sync = open(name);
    const disk = fillDisk();
    const edits = [edit(), edit(), edit()] as const;
    await sync.record([edits[0]]);
    await sync.flush();
    disk.mockRestore();
    await sync.record([edits[1]]);
    await sync.record([edits[2]]);
    await sync.flush();
    expect(sync.state.getState()).toMatchObject({ memoryOnly: false, pending: 3 });
    sync.close();
    status = 200;
    open(name);
    await eventually(() => expect(stored).toEqual(edits));
  });

  it("edits are sent even if the journal is unreadable", async () => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("Not in this window.", "SecurityError");
    });
    const sync = open();
    const one = edit();
    await sync.record([one]);
    await eventually(() => expect(stored).toEqual([one]));
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 0, status: "saved" }));
  });

  it("edits are sent even if the browser never opens the journal, and no image waits for it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.spyOn(indexedDB, "open").mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
    status = 0;
    const sync = open();
    const one = edit();
    const pending = sync.pendingOf(3);
    const recorded = sync.record([one]);
    vi.advanceTimersByTime(5_000);
    expect(await pending).toEqual([]);
    await recorded;
    expect(sync.state.getState()).toMatchObject({ memoryOnly: true, pending: 1 });
    expect(await sync.pendingOf(3)).toEqual([one]);
    status = 200;
    await sync.flush();
    expect(stored).toEqual([one]);
    const wiped = expect(sync.wipe()).rejects.toThrow("does not respond");
    vi.advanceTimersByTime(5_000);
    await wiped;
  });

  it("edits are journalled if the browser opens the journal late", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const real = indexedDB.open.bind(indexedDB);
    const late = new EventTarget();
    let isHeld = false;
    vi.spyOn(indexedDB, "open").mockImplementationOnce((...what) => {
      return new Proxy(real(...what), {
        get: (request, key) => Reflect.get(request, key, request),
        set: (request, key, listener) => {
          const hold = (event: Event) => {
            late.addEventListener("come", () => listener(event), { once: true });
            isHeld = true;
          };
          return Reflect.set(request, key, key === "onsuccess" ? hold : listener, request);
        },
      });
    });
    status = 0;
    const name = randomUUID();
    const sync = open(name);
    const one = edit();
    const recorded = sync.record([one]);
    vi.advanceTimersByTime(5_000);
    await recorded;
    expect(sync.state.getState()).toMatchObject({ memoryOnly: true, pending: 1 });
    vi.useRealTimers();
    await eventually(() => expect(isHeld).toBe(true));
    late.dispatchEvent(new Event("come"));
    await eventually(async () => {
      await sync.flush();
      expect(sync.state.getState()).toMatchObject({ memoryOnly: false, pending: 1 });
    });
    sync.close();
    expect(await open(name).pendingOf(3)).toEqual([one]);
  });

  it("edits are applied to an image that is opened again", async () => {
    status = 0;
    const sync = open();
    const [kept, lost] = [edit(), edit()];
    await sync.record([kept]);
    fillDisk();
    await sync.record([lost, edit({ image_id: 4 })]);
    expect(await sync.pendingOf(3)).toEqual([kept, lost]);
  });

  it("edits are sent in halves when they are too large for the server", async () => {
    status = 0;
    most = 3;
    fillDisk();
    const sync = open();
    const edits = Array.from({ length: 10 }, () => edit());
    await sync.record(edits);
    status = 200;
    await sync.flush();
    expect(stored).toEqual(edits);
  });

  it("edits become conflicts if the server cannot accept them, and delay no others", async () => {
    fillDisk();
    const edits = [edit(), edit(), edit(), edit(), edit()] as const;
    const [, strange, huge, contested] = edits;
    verdict = ({ uuid }) => {
      if (uuid === strange.uuid) return 400;
      if (uuid === huge.uuid) return 413;
      return uuid === contested.uuid ? { status: "conflict", fields: ["color"], reason: "bob was faster" } : {};
    };
    const sync = open();
    await sync.record(edits);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 0, phase: "idle" }));
    expect(stored).toEqual([edits[0], edits[4]]);
    expect(sync.state.getState()).toMatchObject({ status: "conflict", memoryOnly: true });
    expect(sync.state.getState().conflicts.map((draft) => [draft.edit.uuid, draft.reason])).toEqual([
      [strange.uuid, "failed with 400"],
      [huge.uuid, "failed with 413"],
      [contested.uuid, "bob was faster"],
    ]);
  });

  it("conflicts are resolved like others: the user's version is sent again, or dropped for the server's", async () => {
    const disk = fillDisk();
    const [kept, dropped] = [edit(), edit()];
    const refusal = { status: "refused", reason: "no", stored: { revision: 12 } } as const;
    verdict = ({ uuid }) => (uuid === kept.uuid || uuid === dropped.uuid ? refusal : {});
    const sync = open();
    await sync.record([kept, dropped]);
    await eventually(() => expect(sync.state.getState().conflicts).toHaveLength(2));
    const [mine, theirs] = sync.state.getState().conflicts;
    if (!mine || !theirs) throw new Error("two conflicts expected");
    await sync.resolve([mine], "mine");
    disk.mockRestore();
    await sync.resolve([theirs], "theirs");
    await sync.flush();
    expect(stored).toMatchObject([{ target: kept.target, base: 12, after: kept.after }]);
    expect(sync.state.getState()).toMatchObject({ status: "saved", conflicts: [], memoryOnly: false });
  });
});
