import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { journalName } from "../../../web/io/journal/journalName";
import { logoutWarnings, wipeLocalData } from "../../../web/io/logout";
import { reviewOf, syncOf } from "../../../web/sync/currentSync";
import { Journal } from "../../../web/sync/journal/journal";
import { Sync } from "../../../web/sync/push/sync";
import { eventually } from "../../support/eventually";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

/** `person` is the id of the signed-in user, or 0. */
const server = vi.hoisted(() => ({ status: 200, hangs: false, asked: 0, stored: [] as string[], person: 0 }));
vi.mock("../../../web/io/http/request", () => ({
  request: async (
    call: { path: string },
    { body }: { body: { edits: { uuid: string }[] } },
    { signal }: { signal: AbortSignal },
  ) => {
    if (call.path === "/user/" && server.person > 0) return { user: { id: server.person } };
    server.asked++;
    if (server.hangs) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    if (server.status !== 200) throw Object.assign(new Error("no"), { status: server.status });
    server.stored.push(...body.edits.map(({ uuid }) => uuid));
    return { answers: body.edits.map(({ uuid }) => ({ uuid, status: "applied", revision: 1 })) };
  },
}));
vi.mock("../../../web/io/http/url", () => ({ baseUrl: () => new URL("http://limn.test/") }));

const nameOf = (userId: number) => `user${userId}`;
const owner = (userId: number, installation = "7d8aa9a8-6f5b-4b5c-9d58-6d2f5f0a3c11") => ({
  installation,
  userId,
  username: nameOf(userId),
});
const openSync = (userId: number) => syncOf(owner(userId));

const edit = (): AnnotationEdit => ({
  uuid: randomUUID(),
  image_id: 3,
  base: 0,
  subject: "annotation",
  target: randomUUID(),
  action: "modify",
  before: {},
  after: { color: "#123456" },
});

function asksBeforeClosing(): boolean {
  const closing = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(closing);
  return closing.defaultPrevented;
}

beforeEach(() => {
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", {});
  Object.assign(server, { status: 200, hangs: false, asked: 0, stored: [], person: 0 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("asks before the page is closed while work is only in memory, also if no image is open", async () => {
  const sync = openSync(1);
  await sync.flush();
  expect(asksBeforeClosing()).toBe(false);
  server.status = 0;
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => {
    throw new DOMException("The disk is full.", "QuotaExceededError");
  });
  const recorded = sync.record([edit()]);
  expect(asksBeforeClosing()).toBe(true);
  await recorded;
  await sync.flush();
  expect(asksBeforeClosing()).toBe(true);
  server.status = 400;
  await sync.flush();
  expect(sync.state.getState()).toMatchObject({ pending: 0, memoryOnly: true });
  expect(asksBeforeClosing()).toBe(true);
});

describe("another user's login in this tab", () => {
  const [me, other] = [30, 31];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const user of [other, me]) {
      openSync(user);
      await wipeLocalData(nameOf(user));
    }
  });

  it("keeps edits that are only in memory, and asks before the page is closed", async () => {
    const sync = openSync(me);
    await sync.flush();
    server.status = 0;
    vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => {
      throw new DOMException("The disk is full.", "QuotaExceededError");
    });
    const one = edit();
    await sync.record([one]);
    await sync.flush();
    server.status = 200;
    const next = openSync(other);
    await Promise.all([next.flush(), sync.flush()]);
    expect(asksBeforeClosing()).toBe(true);
    expect(server.stored).toEqual([]);
    expect(sync.state.getState()).toMatchObject({ pending: 1, memoryOnly: true, status: "not kept" });
    const again = openSync(me);
    expect(again.state.getState()).toMatchObject({ pending: 1, memoryOnly: true });
    await eventually(() => expect(server.stored).toEqual([one.uuid]));
    await eventually(() => expect(again.state.getState()).toMatchObject({ pending: 0, status: "saved" }));
    expect(asksBeforeClosing()).toBe(false);
  });

  it("keeps an edit that was still being computed, until its user is back", async () => {
    const sync = openSync(me);
    await sync.flush();
    openSync(other);
    const one = edit();
    await sync.record([one]);
    await sync.flush();
    expect(server.stored).toEqual([]);
    expect(sync.state.getState()).toMatchObject({ pending: 1, memoryOnly: false });
    expect(asksBeforeClosing()).toBe(false);
    openSync(me);
    await eventually(() => expect(server.stored).toEqual([one.uuid]));
  });

  it("does not let that user's logout delete edits of the first one", async () => {
    const sync = openSync(me);
    server.status = 0;
    const one = edit();
    await sync.record([one]);
    // The second user may have opened nothing that is stored in this browser.
    for (const opens of [false, true]) {
      if (opens) openSync(other);
      expect(await logoutWarnings(nameOf(other))).toEqual([]);
      await wipeLocalData(nameOf(other));
    }
    server.status = 200;
    openSync(me);
    await eventually(() => expect(server.stored).toEqual([one.uuid]));
  });
});

it("sends edits that were held back until the user signed in again", async () => {
  const sync = openSync(3);
  server.status = 401;
  const one = edit();
  await sync.record([one]);
  await eventually(() => expect(sync.state.getState()).toMatchObject({ phase: "signedOut", pending: 1 }));
  server.status = 200;
  expect(openSync(3)).toBe(sync);
  await eventually(() => expect(server.stored).toEqual([one.uuid]));
  openSync(4);
});

it("reports that another user is signed in in this browser, and sends nothing as that user", async () => {
  const sync = openSync(15);
  Object.assign(server, { status: 401, person: 16 });
  const one = edit();
  await sync.record([one]);
  const state = { phase: "otherUser", status: "signed out", pending: 1 };
  await eventually(() => expect(sync.state.getState()).toMatchObject(state));
  expect(server.stored).toEqual([]);
  Object.assign(server, { status: 200, person: 15 });
  expect(openSync(15)).toBe(sync);
  await eventually(() => expect(server.stored).toEqual([one.uuid]));
  openSync(17);
});

it("gives up on a server that never responds, and sends the edits again, together with newer ones", async () => {
  const sync = openSync(5);
  await sync.flush();
  server.hangs = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const edits = [edit(), edit()] as const;
  await sync.record([edits[0]]);
  await eventually(() => expect(server.asked).toBe(1));
  vi.advanceTimersByTime(25_000);
  expect(sync.state.getState()).toMatchObject({ phase: "sending", pending: 1 });
  vi.advanceTimersByTime(10_000);
  await eventually(() => expect(sync.state.getState()).toMatchObject({ status: "offline", pending: 1 }));
  server.hangs = false;
  await sync.record([edits[1]]);
  await eventually(() => expect(server.stored).toEqual(edits.map(({ uuid }) => uuid)));
  openSync(6);
});

it("waits longer for the response to a batch that takes long on a slow connection", async () => {
  const sync = openSync(7);
  await sync.flush();
  server.hangs = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ring = Array.from({ length: 100_000 }, () => 0.125);
  await sync.record([{ ...edit(), after: { rings: [ring] } } as unknown as AnnotationEdit]);
  await eventually(() => expect(server.asked).toBe(1));
  vi.advanceTimersByTime(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sync.state.getState().phase).toBe("sending");
  openSync(8);
});

it("requests nothing more for a user who has signed out", async () => {
  const sync = openSync(9);
  await sync.flush();
  server.hangs = true;
  await sync.record([edit()]);
  await eventually(() => expect(server.asked).toBe(1));
  const sent = sync.flush();
  openSync(10);
  await sent;
  expect(server.asked).toBe(1);
});

describe("a logout", () => {
  const UNKNOWN = "This browser's storage does not respond. Changes that are not on the server yet may be lost.";
  const PENDING = "1 of your changes is not on the server yet and would be lost.";

  /** An earlier page of the user, which could not send an edit. */
  async function earlierPage(me = owner(20)): Promise<void> {
    const sync = new Sync(journalName(me), () => Promise.reject(Object.assign(new Error("no"), { status: 0 })));
    await sync.record([edit()]);
    await eventually(() => expect(sync.state.getState()).toMatchObject({ pending: 1 }));
    sync.close();
    server.status = 0;
  }

  /** Reads the user's journals, and sends the edits if that is possible. */
  const flush = () => Promise.all([openSync(20).flush(), reviewOf(owner(20)).refresh()]);

  /** Returns the warnings, in any case after the time that a logout waits. */
  async function warnings(): Promise<string[]> {
    let found: string[] | undefined;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    void logoutWarnings(nameOf(20)).then((all) => {
      found = all;
    });
    const warned = eventually(() => {
      vi.advanceTimersByTime(1_000);
      return found ?? expect.unreachable();
    });
    return warned.finally(() => vi.useRealTimers());
  }

  afterEach(async () => {
    vi.restoreAllMocks();
    await wipeLocalData(nameOf(20));
  });

  it("asks nothing if everything was sent", async () => {
    await openSync(20).record([edit()]);
    await flush();
    expect(server.stored).toHaveLength(1);
    expect(await warnings()).toEqual([]);
  });

  it("asks only about the pending edits while the server does not respond", async () => {
    const sync = openSync(20);
    await flush();
    server.hangs = true;
    await sync.record([edit()]);
    expect(await warnings()).toEqual([PENDING]);
  });

  it("asks while the browser has not opened the journal", async () => {
    await earlierPage();
    vi.spyOn(indexedDB, "open").mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
    openSync(20);
    expect(await warnings()).toEqual([UNKNOWN]);
  });

  it("asks if the journal cannot be read, until it can", async () => {
    await earlierPage();
    const opening = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("Not in this window.", "SecurityError");
    });
    await flush();
    expect(await warnings()).toEqual([UNKNOWN]);
    opening.mockRestore();
    await flush();
    expect(await warnings()).toEqual([PENDING]);
  });

  it.each(["conflicts", "categories"] as const)("asks if only the %s in the journal cannot be read", async (read) => {
    await flush();
    vi.spyOn(Journal.prototype, read).mockRejectedValue(new Error("The disk fails."));
    await flush();
    expect(await warnings()).toEqual([UNKNOWN]);
  });

  it("asks while the browser does not write an edit", async () => {
    await flush();
    vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => new EventTarget() as IDBRequest<IDBValidKey>);
    void openSync(20).record([edit()]);
    expect(await warnings()).toEqual([UNKNOWN]);
  });

  it("asks while the journal of another installation has not been read, or cannot be", async () => {
    await earlierPage({ ...owner(20), installation: "11111111-6f5b-4b5c-9d58-6d2f5f0a3c11" });
    const reading = vi.spyOn(Journal.prototype, "all").mockReturnValue(new Promise(() => undefined));
    await openSync(20).flush();
    expect(await warnings()).toEqual([UNKNOWN]);
    reading.mockRejectedValue(new Error("The disk fails."));
    await flush();
    expect(await warnings()).toEqual([UNKNOWN]);
    reading.mockRestore();
    await flush();
    expect(await warnings()).toEqual([
      "1 change that you made on another installation waits for your review and would be lost.",
    ]);
  });
});
