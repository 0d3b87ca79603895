import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { syncOf } from "../../../web/sync/currentSync";

/** `person`: who is logged in; 0 for nobody. */
const server = vi.hoisted(() => ({ status: 200, stored: [] as string[], person: 0 }));
vi.mock("../../../web/io/request", () => ({
  request: async (
    call: { path: string },
    { body }: { body: { edits: { uuid: string }[] } } = { body: { edits: [] } },
  ) => {
    if (call.path === "/user/" && server.person > 0) return { user: { id: server.person } };
    if (server.status !== 200) throw Object.assign(new Error("no"), { status: server.status });
    server.stored.push(...body.edits.map(({ uuid }) => uuid));
    return { answers: body.edits.map(({ uuid }) => ({ uuid, status: "applied", revision: 1 })) };
  },
}));
vi.mock("../../../web/io/journalName", () => ({ journalName: (userId: number) => `journal ${userId}` }));

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
  Object.assign(server, { status: 200, stored: [], person: 0 });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("asks before the page is closed while work is in memory only, also where no picture is open", async () => {
  const sync = syncOf(1);
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
  syncOf(2);
  expect(asksBeforeClosing()).toBe(false);
});

it("sends what has waited for the person to log in again", async () => {
  const sync = syncOf(3);
  server.status = 401;
  const one = edit();
  await sync.record([one]);
  await vi.waitFor(() => expect(sync.state.getState()).toMatchObject({ phase: "signedOut", pending: 1 }));
  server.status = 200;
  expect(syncOf(3)).toBe(sync);
  await vi.waitFor(() => expect(server.stored).toEqual([one.uuid]));
  syncOf(4);
});

it("says that somebody else is logged in in this browser, as whom nothing is sent", async () => {
  const sync = syncOf(5);
  Object.assign(server, { status: 401, person: 6 });
  const one = edit();
  await sync.record([one]);
  const state = { phase: "somebodyElse", status: "signed out", pending: 1 };
  await vi.waitFor(() => expect(sync.state.getState()).toMatchObject(state));
  expect(server.stored).toEqual([]);
  Object.assign(server, { status: 200, person: 5 });
  expect(syncOf(5)).toBe(sync);
  await vi.waitFor(() => expect(server.stored).toEqual([one.uuid]));
  syncOf(7);
});
