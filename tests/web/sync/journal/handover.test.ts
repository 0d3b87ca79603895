// @vitest-environment jsdom
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EditBatch, WorkSession } from "../../../../shared/edits/edit";
import { Handover } from "../../../../web/sync/journal/handover";
import { Sync } from "../../../../web/sync/push/sync";
import { eventually } from "../../../support/eventually";

const session = (): WorkSession => ({
  uuid: randomUUID(),
  image_id: 3,
  annotation_uuid: null,
  start: 1_700_000_000_000,
  milliseconds: 1234,
  tools: ["Select"],
});

let opened: Sync[] = [];
let batches: EditBatch[] = [];

beforeEach(() => {
  localStorage.clear();
  batches = [];
});
afterEach(() => {
  for (const sync of opened) sync.close();
  opened = [];
});

function open(name: string): Sync {
  const sync = new Sync(name, async (batch) => {
    batches.push(batch);
    return { answers: [] };
  });
  opened.push(sync);
  return sync;
}

const sent = () => batches.flatMap(({ sessions }) => sessions ?? []);

it("stores a work session at once when it is recorded, until the journal has it", async () => {
  const sync = open(randomUUID());
  const written = sync.recordSession(session());
  expect(localStorage).toHaveLength(1);
  await written;
  expect(localStorage).toHaveLength(0);
});

it("a session is sent by the next page after one was closed, and nothing is left over", async () => {
  const name = randomUUID();
  const last = session();
  new Handover(name).put(last);
  open(name);
  await eventually(() => expect(sent()).toEqual([last]));
  expect(localStorage).toHaveLength(0);
});

it("sessions of another user are not touched, and invalid entries are dropped", async () => {
  const [ada, bob] = [new Handover("limn / 1"), new Handover("limn / 12")];
  bob.put(session());
  localStorage.setItem("limn.handover limn / 1 x", "{]");
  localStorage.setItem("limn.handover limn / 1 y", '{"milliseconds": -1}');
  expect(ada.all()).toEqual([]);
  expect(bob.all()).toHaveLength(1);
  ada.wipe();
  expect(localStorage).toHaveLength(1);
});

it("a session stays while the journal cannot store it, and the next page sends it", async () => {
  const name = randomUUID();
  const last = session();
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("The disk is full.", "QuotaExceededError");
  });
  const sync = open(name);
  await sync.recordSession(last);
  sync.close();
  full.mockRestore();
  expect(localStorage).toHaveLength(1);
  open(name);
  await eventually(() => expect(sent()).toEqual([last]));
  expect(localStorage).toHaveLength(0);
});

it("keeps at most the five hundred newest sessions", () => {
  const handover = new Handover("limn / 1");
  const starts = Array.from({ length: 503 }, (_, i) => 1_700_000_000_000 + ((i * 7) % 503));
  for (const start of starts) handover.put({ ...session(), start });
  const kept = handover.all().map(({ start }) => start);
  expect(kept).toHaveLength(500);
  expect(Math.max(...kept)).toBe(1_700_000_000_502);
  expect(kept).toContain(starts.at(-1));
});

it("accepts nothing from the closing page when the user signs out", async () => {
  const sync = open(randomUUID());
  await sync.wipe();
  await sync.recordSession(session());
  expect(localStorage).toHaveLength(0);
});

it("is deleted with the journal when the user signs out", async () => {
  const name = randomUUID();
  const sync = open(name);
  new Handover(name).put(session());
  await sync.wipe();
  expect(localStorage).toHaveLength(0);
});
